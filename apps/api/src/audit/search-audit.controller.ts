import { jsonText } from '@app/formats';
import { AUDIT_SORTS, type ReadModels } from '@app/ports';
import { Controller, Inject, Query } from '@nestjs/common';
import { z } from 'zod';
import { CalledBy, type Calling } from '../http/calling.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { READ_MODELS } from '../symbols.js';
import { AuditReads } from './audit-reads.js';
import { auditRow, READERS } from './shapes/answers.js';
import { cursor, cursorOf, limit, pageOf, placeIn } from './shapes/cursor.js';
import { filterOf, filters } from './shapes/filters.js';

const query = z.strictObject({
  ...filters,
  sort: z.enum(AUDIT_SORTS).default('-position').describe('`-` for the newest first'),
  cursor,
  limit,
});
const response = z.object({
  items: z.array(auditRow),
  next: z.string().nullable().describe('The cursor of the page that follows; `null` on the last one'),
});

/** `GET /v1/audit` */
@Controller()
export class SearchAuditController {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(AuditReads) private readonly reads: AuditReads,
  ) {}

  @Endpoint('GET', 'v1/audit', {
    summary: 'Searches what happened: who, when, and at what size; never content.',
    roles: READERS,
    content: 'none',
    query,
    response,
    errors: ['invalid-request'],
  })
  async search(@Query(valid(query)) given: z.output<typeof query>, @CalledBy() calling: Calling) {
    const { sort, cursor: from } = given;
    const rows = await this.readModels.audit({
      ...filterOf(calling.tenant, given),
      ...(from !== undefined && { after: placeIn(from, sort) }),
      sort,
      limit: given.limit,
    });
    await this.reads.record(calling, { endpoint: 'GET /v1/audit', given, rows: rows.length });
    return plain(pageOf(rows, given.limit, (last) => cursorOf(sort, last)));
  }
}

/** Positions as JSON has them. */
const plain = (page: unknown): unknown => JSON.parse(jsonText(page));
