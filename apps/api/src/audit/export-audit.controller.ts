import { Readable } from 'node:stream';
import { auditBatches, auditLines, EXPORT_FORMATS } from '@app/application';
import type { ReadModels } from '@app/ports';
import { Controller, Inject, Query, StreamableFile } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { started } from '../http/started.js';
import { valid } from '../http/valid.js';
import { READ_MODELS } from '../symbols.js';
import { AuditReads } from './audit-reads.js';
import { auditSort, filterOf, filters } from './filters.js';
import { READERS } from './roles.js';

const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const;

const query = z.strictObject({
  ...filters,
  sort: auditSort.default('position'),
  format: z.enum(EXPORT_FORMATS).default('ndjson'),
});

/** `GET /v1/audit/export` */
@Controller()
export class ExportAuditController {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(AuditReads) private readonly reads: AuditReads,
  ) {}

  @Endpoint('GET', 'v1/audit/export', {
    id: 'exportAudit',
    summary: 'Exports every audit row that matches the filters.',
    roles: READERS,
    content: 'none',
    query,
    produces: ['application/x-ndjson', 'text/csv'],
    response: z.string().describe('One row a line'),
    errors: ['invalid-request', 'projection-behind'],
  })
  async export(@Query(valid(query)) given: z.output<typeof query>, @CurrentCaller() apiCaller: ApiCaller) {
    const { tenant } = apiCaller;
    const { sort, format } = given;
    // Rows recorded during the export are left out: otherwise the export of a busy tenant would never end.
    const end = await this.readModels.auditEnd(tenant);
    const filter = { ...filterOf(tenant, given), ...(end !== undefined && { upTo: end }) };
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
}
