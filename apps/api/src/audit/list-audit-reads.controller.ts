import { auditReadRow } from '@app/contract';
import { READ_KINDS, type ReadModels } from '@app/ports';
import { Controller, Inject, Query } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { pageOf as pageShape } from '../http/page.js';
import { valid } from '../http/valid.js';
import { sessionId } from '../sessions/shapes.js';
import { READ_MODELS } from '../symbols.js';
import { AuditReads } from './audit-reads.js';
import { cursor, cursorOf, limit, pageOf, placeIn } from './cursor.js';
import { words } from './filters.js';
import { READERS } from './roles.js';

const query = z.strictObject({
  kind: z.enum(READ_KINDS).optional().describe('`audit`: of facts; `content`: of text'),
  session: sessionId.optional().describe('Whose text was read'),
  actor: words.optional().describe('The reader'),
  cursor,
  limit,
});

/** `GET /v1/audit/reads` */
@Controller()
export class ListAuditReadsController {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(AuditReads) private readonly reads: AuditReads,
  ) {}

  @Endpoint('GET', 'v1/audit/reads', {
    id: 'listAuditReads',
    summary: 'Lists the recorded reads of the audit and of text, newest first.',
    roles: READERS,
    content: 'none',
    query,
    response: pageShape(auditReadRow),
    errors: ['invalid-request', 'projection-behind'],
  })
  async list(@Query(valid(query)) given: z.output<typeof query>, @CurrentCaller() apiCaller: ApiCaller) {
    const after = given.cursor === undefined ? undefined : placeIn(given.cursor, 'reads');
    const page = {
      limit: given.limit,
      ...(after && { after }),
      ...(given.kind && { kind: given.kind }),
      ...(given.session !== undefined && { session: given.session }),
      ...(given.actor !== undefined && { actor: given.actor }),
    };
    const rows = await this.readModels.auditReads({ tenant: apiCaller.tenant, ...page });
    await this.reads.record(apiCaller, { endpoint: 'GET /v1/audit/reads', given, rows: rows.length });
    return pageOf(rows, given.limit, (last) => cursorOf('reads', last));
  }
}
