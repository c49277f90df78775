import { auditTotals } from '@app/contract';
import { AUDIT_GROUPS, type ReadModels } from '@app/ports';
import { Controller, Inject, Query } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { groupOf } from '../sessions/description.js';
import { READ_MODELS } from '../symbols.js';
import { AuditReads } from './audit-reads.js';
import { filterOf, filters } from './filters.js';
import { READERS } from './roles.js';

const query = z.strictObject({
  ...filters,
  by: groupOf(AUDIT_GROUPS).describe(
    'What rows are counted by; a day is one in UTC, metadata is what the sessions have now',
  ),
});

/** `GET /v1/audit/totals` */
@Controller()
export class TotalAuditController {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(AuditReads) private readonly reads: AuditReads,
  ) {}

  @Endpoint('GET', 'v1/audit/totals', {
    id: 'countAuditRows',
    summary: 'Counts the audit rows that match the filters, by group.',
    roles: READERS,
    content: 'none',
    query,
    response: auditTotals,
    errors: ['invalid-request', 'projection-behind'],
  })
  async count(@Query(valid(query)) given: z.output<typeof query>, @CurrentCaller() apiCaller: ApiCaller) {
    const totals = await this.readModels.auditTotals({ ...filterOf(apiCaller.tenant, given), by: given.by });
    const rows = totals.groups.length;
    await this.reads.record(apiCaller, { endpoint: 'GET /v1/audit/totals', given, rows });
    return totals;
  }
}
