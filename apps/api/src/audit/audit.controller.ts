import { Readable } from 'node:stream';
import { auditBatches, auditLines, EXPORT_FORMATS } from '@app/application';
import { auditReadRow, auditRow, auditTotals, compactionRecord, trigger, usageTotals } from '@app/contract';
import { OPERATOR_TENANT } from '@app/domain';
import { AUDIT_GROUPS, COMPACTION_OUTCOMES, READ_KINDS, USAGE_GROUPS } from '@app/ports';
import { Controller, Inject, Query, StreamableFile } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { pageOf as pageShape } from '../http/page.js';
import { started } from '../http/started.js';
import { valid } from '../http/valid.js';
import { descriptionFilters, groupOf, withLabels } from '../sessions/description.js';
import { sessionId } from '../sessions/shapes.js';
import { AuditReads, cursor, cursorOf, limit, pageOf, placeIn } from './audit-reads.js';
import { auditSort, filterOf, filters, instant, READERS, words } from './filters.js';

const searchAuditQuery = z.strictObject({
  ...filters,
  sort: auditSort.default('-position'),
  cursor,
  limit,
});

const countAuditRowsQuery = z.strictObject({
  ...filters,
  by: groupOf(AUDIT_GROUPS).describe(
    'The groups by which rows are counted. Days are in UTC; metadata has its current value',
  ),
});

const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const;

const exportAuditQuery = z.strictObject({
  ...filters,
  sort: auditSort.default('position'),
  format: z.enum(EXPORT_FORMATS).default('ndjson'),
});

const listAuditReadsQuery = z.strictObject({
  kind: z.enum(READ_KINDS).exactOptional().describe('`audit`: reads of facts; `content`: reads of text'),
  session: sessionId.exactOptional().describe('The session whose text was read'),
  actor: words.exactOptional().describe('The reader'),
  cursor,
  limit,
});

const searchCompactionsQuery = z.strictObject({
  session: sessionId.exactOptional(),
  ...descriptionFilters,
  trigger: trigger.exactOptional(),
  outcome: z
    .enum([...COMPACTION_OUTCOMES, 'open'])
    .exactOptional()
    .describe('`open` for compactions that have not ended'),
  profile: words.exactOptional(),
  model: words.exactOptional().describe('The model that wrote the summary'),
  actor: words.exactOptional().describe('The actor that requested it'),
  since: instant.exactOptional().describe('Earliest time of the request, inclusive'),
  until: instant.exactOptional().describe('Latest time of the request, exclusive'),
  sort: z.enum(['-position', 'position']).default('-position').describe('`-` sorts by request, newest first'),
  cursor,
  limit,
});

const DAY = 'give a day such as 2026-11-21';
/** PostgreSQL knows no year 0. */
const day = z.iso
  .date(DAY)
  .refine((text) => text >= '0001', DAY)
  .exactOptional();
const reportUsageQuery = z.strictObject({
  from: day.describe('The first day, in UTC'),
  to: day.describe('The last day, in UTC'),
  ...descriptionFilters,
  by: groupOf(USAGE_GROUPS)
    .default('day')
    .describe(
      `Metadata has its current value. \`tenant\` shows all tenants to an operator or admin of the tenant \`${OPERATOR_TENANT}\``,
    ),
});

/** Searches, totals, exports and reads of the audit, `GET /v1/compactions` and `GET /v1/usage` */
@Controller()
export class AuditController extends BusController {
  @Inject(AuditReads) private readonly reads!: AuditReads;

  @Endpoint('GET', 'v1/audit', {
    id: 'searchAudit',
    summary: 'Searches the audit rows of the tenant.',
    roles: READERS,
    content: 'none',
    query: searchAuditQuery,
    response: pageShape(auditRow),
    errors: ['invalid-request', 'projection-behind'],
  })
  async search(
    @Query(valid(searchAuditQuery)) given: z.output<typeof searchAuditQuery>,
    @CurrentCaller() apiCaller: ApiCaller,
  ) {
    const { sort, limit, cursor: from, ...filters } = given;
    const rows = await this.engine.readModels.audit({
      ...filterOf(apiCaller.tenant, filters),
      ...(from !== undefined && { after: placeIn(from, sort) }),
      sort,
      limit,
    });
    await this.reads.record(apiCaller, { endpoint: 'GET /v1/audit', given, rows: rows.length });
    return pageOf(rows, limit, (last) => cursorOf(sort, last));
  }

  @Endpoint('GET', 'v1/audit/totals', {
    id: 'countAuditRows',
    summary: 'Counts the audit rows that match the filters, by group.',
    roles: READERS,
    content: 'none',
    query: countAuditRowsQuery,
    response: auditTotals,
    errors: ['invalid-request', 'projection-behind'],
  })
  async count(
    @Query(valid(countAuditRowsQuery)) given: z.output<typeof countAuditRowsQuery>,
    @CurrentCaller() apiCaller: ApiCaller,
  ) {
    const { by, ...filters } = given;
    const totals = await this.engine.readModels.auditTotals({ ...filterOf(apiCaller.tenant, filters), by });
    const rows = totals.groups.length;
    await this.reads.record(apiCaller, { endpoint: 'GET /v1/audit/totals', given, rows });
    return totals;
  }

  @Endpoint('GET', 'v1/audit/export', {
    id: 'exportAudit',
    summary: 'Exports every audit row that matches the filters.',
    roles: READERS,
    content: 'none',
    query: exportAuditQuery,
    produces: ['application/x-ndjson', 'text/csv'],
    response: z.string().describe('One row per line'),
    errors: ['invalid-request', 'projection-behind'],
  })
  async export(
    @Query(valid(exportAuditQuery)) given: z.output<typeof exportAuditQuery>,
    @CurrentCaller() apiCaller: ApiCaller,
  ) {
    const { tenant } = apiCaller;
    const { sort, format, ...filters } = given;
    // Rows recorded during the export are left out: otherwise the export of a busy tenant would never end.
    const end = await this.engine.readModels.auditEnd(tenant);
    const filter = { ...filterOf(tenant, filters), ...(end !== undefined && { upTo: end }) };
    // The read is recorded before the first row goes out, so the rows are counted first.
    const { events: rows } = await this.engine.readModels.auditTotals({ ...filter, by: 'type' });
    await this.reads.record(apiCaller, { endpoint: 'GET /v1/audit/export', given, rows });
    const lines = await started(
      auditLines(format, auditBatches(this.engine.readModels, { ...filter, sort })),
    );
    const disposition = `attachment; filename="audit.${format}"`;
    return new StreamableFile(Readable.from(lines, { objectMode: false }), {
      type: TYPES[format],
      disposition,
    });
  }

  @Endpoint('GET', 'v1/audit/reads', {
    id: 'listAuditReads',
    summary: 'Lists the recorded reads of the audit and of text, newest first.',
    roles: READERS,
    content: 'none',
    query: listAuditReadsQuery,
    response: pageShape(auditReadRow),
    errors: ['invalid-request', 'projection-behind'],
  })
  async list(
    @Query(valid(listAuditReadsQuery)) given: z.output<typeof listAuditReadsQuery>,
    @CurrentCaller() apiCaller: ApiCaller,
  ) {
    const { cursor: from, ...filters } = given;
    const page = { ...filters, ...(from !== undefined && { after: placeIn(from, 'reads') }) };
    const rows = await this.engine.readModels.auditReads({ tenant: apiCaller.tenant, ...page });
    await this.reads.record(apiCaller, { endpoint: 'GET /v1/audit/reads', given, rows: rows.length });
    return pageOf(rows, given.limit, (last) => cursorOf('reads', last));
  }

  @Endpoint('GET', 'v1/compactions', {
    id: 'searchCompactions',
    summary: 'Searches the compactions of all sessions of the tenant.',
    roles: READERS,
    content: 'none',
    query: searchCompactionsQuery,
    response: pageShape(compactionRecord),
    errors: ['invalid-request', 'projection-behind'],
  })
  async searchCompactions(
    @Query(valid(searchCompactionsQuery)) given: z.output<typeof searchCompactionsQuery>,
    @CurrentCaller() apiCaller: ApiCaller,
  ) {
    const { tenant } = apiCaller;
    const { cursor: from, ...rest } = given;
    const after = from === undefined ? undefined : placeIn(from, given.sort);
    const rows = await this.engine.readModels.compactions({
      tenant,
      ...withLabels(rest),
      ...(after && { after }),
    });
    await this.reads.record(apiCaller, { endpoint: 'GET /v1/compactions', given, rows: rows.length });
    const next = (last: (typeof rows)[number]) =>
      cursorOf(given.sort, { position: last.position, recordedAt: last.requestedAt });
    return pageOf(rows, given.limit, next);
  }

  @Endpoint('GET', 'v1/usage', {
    id: 'reportUsage',
    summary:
      'Sums billed tokens, costs and savings by day, model, profile, tenant, session or metadata of sessions.',
    roles: READERS,
    content: 'none',
    query: reportUsageQuery,
    response: usageTotals,
    errors: ['invalid-request', 'projection-behind'],
  })
  async report(
    @Query(valid(reportUsageQuery)) given: z.output<typeof reportUsageQuery>,
    @CurrentCaller() apiCaller: ApiCaller,
  ) {
    const isOfOperator = apiCaller.tenant === OPERATOR_TENANT && apiCaller.role !== 'auditor';
    const tenant = given.by === 'tenant' && isOfOperator ? 'all' : apiCaller.tenant;
    const totals = await this.engine.readModels.usage({ tenant, ...withLabels(given) });
    await this.reads.record(apiCaller, { endpoint: 'GET /v1/usage', given, rows: totals.groups.length });
    return totals;
  }
}
