import { Readable } from 'node:stream';
import { auditBatches, auditLines, EXPORT_FORMATS } from '@app/application';
import { auditReadRow, auditRow, auditTotals } from '@app/contract';
import { AUDIT_GROUPS, READ_KINDS, type ReadModels } from '@app/ports';
import { Controller, Inject, Query, StreamableFile } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { pageOf as pageShape } from '../http/page.js';
import { started } from '../http/started.js';
import { valid } from '../http/valid.js';
import { groupOf } from '../sessions/description.js';
import { sessionId } from '../sessions/shapes.js';
import { READ_MODELS } from '../symbols.js';
import { AuditReads, cursor, cursorOf, limit, pageOf, placeIn } from './audit-reads.js';
import { auditSort, filterOf, filters, READERS, words } from './filters.js';

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

/** Routes below `/v1/audit`. */
@Controller()
export class AuditController {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(AuditReads) private readonly reads: AuditReads,
  ) {}

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
    const rows = await this.readModels.audit({
      ...filterOf(apiCaller.tenant, filters),
      ...(from !== undefined && { after: placeIn(from, sort) }),
      ...{ sort, limit },
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
    const totals = await this.readModels.auditTotals({ ...filterOf(apiCaller.tenant, filters), by });
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
    const end = await this.readModels.auditEnd(tenant);
    const filter = { ...filterOf(tenant, filters), ...(end !== undefined && { upTo: end }) };
    // The read is recorded before the first row goes out, so the rows are counted first.
    const { events: rows } = await this.readModels.auditTotals({ ...filter, by: 'type' });
    await this.reads.record(apiCaller, { endpoint: 'GET /v1/audit/export', given, rows });
    const lines = await started(auditLines(format, auditBatches(this.readModels, { ...filter, sort })));
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
    const rows = await this.readModels.auditReads({ tenant: apiCaller.tenant, ...page });
    await this.reads.record(apiCaller, { endpoint: 'GET /v1/audit/reads', given, rows: rows.length });
    return pageOf(rows, given.limit, (last) => cursorOf('reads', last));
  }
}
