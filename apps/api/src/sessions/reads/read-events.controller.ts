import { eventLines, factLines, ReadSession } from '@app/application';
import { loggedEvent } from '@app/contract';
import { Controller, Inject, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { principalOf } from '../../http/access.guard.js';
import { mayReadContent } from '../../http/content/content.js';
import { ContentReads } from '../../http/content/content-reads.js';
import { type ApiCaller, BusController, CurrentCaller } from '../../http/controller.js';
import { Endpoint } from '../../http/endpoint.js';
import { ndjson } from '../../http/ndjson.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';
import { revision } from '../shapes.js';

const query = z.strictObject({
  from: revision.exactOptional().describe('First revision'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000_000)
    .exactOptional()
    .describe('Maximum number of events; all by default'),
});

const PATH = 'v1/sessions/:session/events';

/** `GET /v1/sessions/:session/events` */
@Controller()
export class ReadEventsController extends BusController {
  @Inject(ContentReads) private readonly reads!: ContentReads;

  @Endpoint('GET', 'v1/sessions/:session/events', {
    id: 'listSessionEvents',
    summary: 'Returns the events of a session up to now, or a window of them, as NDJSON, oldest first.',
    roles: READERS,
    content: 'streamed',
    query,
    response: loggedEvent,
    produces: 'application/x-ndjson',
    errors: ['session-not-found', 'revision-not-found'],
  })
  async read(
    @Query(valid(query)) { from, limit }: z.output<typeof query>,
    @CurrentCaller() { ref }: ApiCaller,
    @Req() request: FastifyRequest,
  ) {
    const events = await this.queries.execute(new ReadSession(ref, { from, limit }));
    if (!mayReadContent(principalOf(request))) return ndjson(factLines(events, this.engine.factsOf));
    await this.reads.record(request, { method: 'GET', path: PATH }, events);
    return ndjson(eventLines(events));
  }
}
