import { eventLines, ReadSession } from '@app/application';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { ndjson } from '../../http/ndjson.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';
import { jsonObject, revision } from '../shapes.js';

const query = z.strictObject({ from: revision.optional().describe('Begin at this revision') });

const response = z.looseObject({
  revision: z.int(),
  type: z.string(),
  id: z.string(),
  recordedAt: z.string(),
  actor: z.string(),
  correlationId: z.string(),
  data: jsonObject,
});

/** `GET /v1/sessions/:session/events` */
@Controller()
export class ReadEventsController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/events', {
    summary: 'Streams the log of a session, one event a line, oldest first, with all content.',
    roles: READERS,
    query,
    response,
    produces: 'application/x-ndjson',
    errors: ['session-not-found', 'revision-not-found'],
  })
  async read(
    @Param('session') id: string,
    @Query(valid(query)) { from }: z.output<typeof query>,
    @CalledBy() { session }: Calling,
  ) {
    return ndjson(eventLines(await this.queries.execute(new ReadSession(session(id), from))));
  }
}
