import { usageTotals } from '@app/contract';
import { OPERATOR_TENANT } from '@app/domain';
import { type ReadModels, USAGE_GROUPS } from '@app/ports';
import { Controller, Inject, Query } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { descriptionFilters, groupOf, withLabels } from '../sessions/description.js';
import { READ_MODELS } from '../symbols.js';
import { AuditReads } from './audit-reads.js';
import { READERS } from './filters.js';

const DAY = 'give a day such as 2026-11-21';
/** PostgreSQL knows no year 0. */
const day = z.iso
  .date(DAY)
  .refine((text) => text >= '0001', DAY)
  .exactOptional();
const query = z.strictObject({
  from: day.describe('The first day, in UTC'),
  to: day.describe('The last day, in UTC'),
  ...descriptionFilters,
  by: groupOf(USAGE_GROUPS)
    .default('day')
    .describe(
      `Metadata has its current value. \`tenant\` shows all tenants to an operator or admin of the tenant \`${OPERATOR_TENANT}\``,
    ),
});

/** `GET /v1/usage` */
@Controller()
export class ReportUsageController {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(AuditReads) private readonly reads: AuditReads,
  ) {}

  @Endpoint('GET', 'v1/usage', {
    id: 'reportUsage',
    summary:
      'Sums billed tokens, costs and savings by day, model, profile, tenant, session or metadata of sessions.',
    roles: READERS,
    content: 'none',
    query,
    response: usageTotals,
    errors: ['invalid-request', 'projection-behind'],
  })
  async report(@Query(valid(query)) given: z.output<typeof query>, @CurrentCaller() apiCaller: ApiCaller) {
    const isOfOperator = apiCaller.tenant === OPERATOR_TENANT && apiCaller.role !== 'auditor';
    const tenant = given.by === 'tenant' && isOfOperator ? 'all' : apiCaller.tenant;
    const totals = await this.readModels.usage({ tenant, ...withLabels(given) });
    await this.reads.record(apiCaller, { endpoint: 'GET /v1/usage', given, rows: totals.groups.length });
    return totals;
  }
}
