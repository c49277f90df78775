import { compactionRecord, trigger } from '@app/contract';
import { COMPACTION_OUTCOMES, type ReadModels } from '@app/ports';
import { Controller, Inject, Query } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { pageOf as pageShape } from '../http/page.js';
import { valid } from '../http/valid.js';
import { descriptionFilters, withLabels } from '../sessions/description.js';
import { sessionId } from '../sessions/shapes.js';
import { READ_MODELS } from '../symbols.js';
import { AuditReads, cursor, cursorOf, limit, pageOf, placeIn } from './audit-reads.js';
import { instant, READERS, words } from './filters.js';

const query = z.strictObject({
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

/** `GET /v1/compactions` */
@Controller()
export class SearchCompactionsController {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(AuditReads) private readonly reads: AuditReads,
  ) {}

  @Endpoint('GET', 'v1/compactions', {
    id: 'searchCompactions',
    summary: 'Searches the compactions of all sessions of the tenant.',
    roles: READERS,
    content: 'none',
    query,
    response: pageShape(compactionRecord),
    errors: ['invalid-request', 'projection-behind'],
  })
  async search(@Query(valid(query)) given: z.output<typeof query>, @CurrentCaller() apiCaller: ApiCaller) {
    const { tenant } = apiCaller;
    const { cursor: from, ...rest } = given;
    const after = from === undefined ? undefined : placeIn(from, given.sort);
    const rows = await this.readModels.compactions({ tenant, ...withLabels(rest), ...(after && { after }) });
    await this.reads.record(apiCaller, { endpoint: 'GET /v1/compactions', given, rows: rows.length });
    const next = (last: (typeof rows)[number]) =>
      cursorOf(given.sort, { position: last.position, recordedAt: last.requestedAt });
    return pageOf(rows, given.limit, next);
  }
}
