import { auditRow } from '@app/contract';
import type { ReadModels } from '@app/ports';
import { Controller, Inject, Query } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { pageOf as pageShape } from '../http/page.js';
import { valid } from '../http/valid.js';
import { READ_MODELS } from '../symbols.js';
import { AuditReads } from './audit-reads.js';
import { cursor, cursorOf, limit, pageOf, placeIn } from './cursor.js';
import { auditSort, filterOf, filters } from './filters.js';
import { READERS } from './roles.js';

const query = z.strictObject({
  ...filters,
  sort: auditSort.default('-position'),
  cursor,
  limit,
});

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
    response: pageShape(auditRow),
    errors: ['invalid-request', 'projection-behind'],
  })
  async search(@Query(valid(query)) given: z.output<typeof query>, @CurrentCaller() apiCaller: ApiCaller) {
    const { sort, cursor: from } = given;
    const rows = await this.readModels.audit({
      ...filterOf(apiCaller.tenant, given),
      ...(from !== undefined && { after: placeIn(from, sort) }),
      sort,
      limit: given.limit,
    });
    await this.reads.record(apiCaller, { endpoint: 'GET /v1/audit', given, rows: rows.length });
    return pageOf(rows, given.limit, (last) => cursorOf(sort, last));
  }
}
