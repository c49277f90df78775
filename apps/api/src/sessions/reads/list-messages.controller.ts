import { ListMessages } from '@app/application';
import { messageWindow } from '@app/contract';
import { Revision } from '@app/kernel';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';
import { revision } from '../shapes.js';

const query = z.strictObject({
  from: revision.default(Revision(0)).describe('Begin at this revision'),
  limit: z.coerce.number().int().min(1).max(500).default(100).describe('Messages of the answer, at most'),
});

/** `GET /v1/sessions/:session/messages` */
@Controller()
export class ListMessagesController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/messages', {
    id: 'listMessages',
    summary: 'Returns a window of the original messages of a session, oldest first.',
    roles: READERS,
    content: { in: ['items[].content'] },
    query,
    response: messageWindow,
    errors: ['session-not-found', 'revision-not-found'],
  })
  list(
    @Param('session') id: string,
    @Query(valid(query)) { from, limit }: z.output<typeof query>,
    @CurrentCaller() { session }: ApiCaller,
  ) {
    return this.queries.execute(new ListMessages(session(id), from, limit));
  }
}
