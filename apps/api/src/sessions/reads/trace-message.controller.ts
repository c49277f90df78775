import { TraceMessage } from '@app/application';
import { provenance } from '@app/contract';
import { MessageId } from '@app/kernel';
import { Controller, Inject, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { READERS } from '../roles.js';

/** `GET /v1/sessions/:session/messages/:message/provenance` */
@Controller()
export class TraceMessageController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/messages/:message/provenance', {
    id: 'traceMessage',
    summary: 'Returns the current place of a message: sent, cut, summarized or removed.',
    roles: READERS,
    content: 'none',
    response: provenance,
    isRevisioned: true,
    errors: ['session-not-found', 'invalid-id'],
  })
  trace(
    @Param('session') id: string,
    @Param('message') message: string,
    @CurrentCaller() { session }: ApiCaller,
  ) {
    return this.queries.execute(new TraceMessage(session(id), MessageId(message)));
  }
}
