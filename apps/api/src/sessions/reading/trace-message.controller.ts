import { TraceMessage } from '@app/application';
import { MessageId } from '@app/kernel';
import { Controller, Inject, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { READERS } from '../roles.js';

const response = z.looseObject({
  session: z.string(),
  message: z.string(),
  revision: z.int(),
  status: z.enum(['in-full', 'in-part', 'left-out', 'covered', 'cleared', 'withdrawn', 'pinned', 'unknown']),
});

/** `GET /v1/sessions/:session/messages/:message/provenance` */
@Controller()
export class TraceMessageController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/messages/:message/provenance', {
    summary:
      'Tells where a message is now: in requests, in full or in part, left out of them, behind a summary, or gone.',
    roles: READERS,
    content: 'none',
    response,
    isRevisioned: true,
    errors: ['session-not-found', 'invalid-id'],
  })
  trace(@Param('session') id: string, @Param('message') message: string, @CalledBy() { session }: Calling) {
    return this.queries.execute(new TraceMessage(session(id), MessageId(message)));
  }
}
