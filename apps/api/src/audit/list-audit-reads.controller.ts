import { jsonText } from '@app/formats';
import type { ReadModels } from '@app/ports';
import { Controller, Inject, Query } from '@nestjs/common';
import { z } from 'zod';
import { CalledBy, type Calling } from '../http/calling.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { READ_MODELS } from '../symbols.js';
import { AuditReads } from './audit-reads.js';
import { auditRead, READERS } from './shapes/answers.js';
import { cursor, cursorOf, limit, pageOf, placeIn } from './shapes/cursor.js';

const query = z.strictObject({ cursor, limit });
const response = z.object({
  items: z.array(auditRead),
  next: z.string().nullable().describe('The cursor of the page that follows; `null` on the last one'),
});

/** `GET /v1/audit/reads` */
@Controller()
export class ListAuditReadsController {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(AuditReads) private readonly reads: AuditReads,
  ) {}

  @Endpoint('GET', 'v1/audit/reads', {
    summary: 'Lists who has looked at the audit, newest first; this look is one of the next answer.',
    roles: READERS,
    query,
    response,
    errors: ['invalid-request'],
  })
  async list(@Query(valid(query)) given: z.output<typeof query>, @CalledBy() calling: Calling) {
    const after = given.cursor === undefined ? undefined : placeIn(given.cursor, 'reads');
    const page = { limit: given.limit, ...(after && { after }) };
    const rows = await this.readModels.auditReads({ tenant: calling.tenant, ...page });
    await this.reads.record(calling, { endpoint: 'GET /v1/audit/reads', given, rows: rows.length });
    return JSON.parse(jsonText(pageOf(rows, given.limit, (last) => cursorOf('reads', last))));
  }
}
