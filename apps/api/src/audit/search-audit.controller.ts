import { jsonText } from '@app/formats';
import type { ReadModels } from '@app/ports';
import { Controller, Inject, Query } from '@nestjs/common';
import { z } from 'zod';
import { CalledBy, type Calling } from '../http/calling.js';
import { Endpoint } from '../http/endpoint.js';
import { pageOf as pageShape } from '../http/page.js';
import { valid } from '../http/valid.js';
import { READ_MODELS } from '../symbols.js';
import { AuditReads } from './audit-reads.js';
import { auditRow, READERS } from './shapes/answers.js';
import { cursor, cursorOf, limit, pageOf, placeIn } from './shapes/cursor.js';
import { auditSort, filterOf, filters } from './shapes/filters.js';

const query = z.strictObject({
  ...filters,
  sort: auditSort.default('-position'),
  cursor,
  limit,
});
const response = pageShape(auditRow);

/** `GET /v1/audit` */
@Controller()
export class SearchAuditController {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(AuditReads) private readonly reads: AuditReads,
  ) {}

  @Endpoint('GET', 'v1/audit', {
    id: 'searchAudit',
    summary: 'Searches the audit rows of the tenant.',
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
    return jsonOf(pageOf(rows, given.limit, (last) => cursorOf(sort, last)));
  }
}

/** Converts positions (bigint) to JSON strings. */
const jsonOf = (page: unknown): unknown => JSON.parse(jsonText(page));
