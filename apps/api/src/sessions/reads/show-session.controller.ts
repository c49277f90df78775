import { ShowSession } from '@app/application';
import { sessionView } from '@app/contract';
import { Controller, Inject, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { READERS } from '../roles.js';

/** `GET /v1/sessions/:session` */
@Controller()
export class ShowSessionController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session', {
    id: 'getSession',
    summary: 'Returns the state, settings, pins and budget of a session.',
    roles: READERS,
    content: { in: ['pins[].text'] },
    response: sessionView,
    isRevisioned: true,
    errors: ['session-not-found'],
  })
  show(@Param('session') id: string, @CurrentCaller() { session }: ApiCaller) {
    return this.queries.execute(new ShowSession(session(id)));
  }
}
