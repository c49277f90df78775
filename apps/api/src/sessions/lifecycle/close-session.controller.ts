import { CloseSession } from '@app/application';
import { closed } from '@app/contract';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { MANAGERS } from '../roles.js';
import { reasonBody } from '../shapes.js';

/** `POST /v1/sessions/:session/close` */
@Controller()
export class CloseSessionController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions/:session/close', {
    id: 'closeSession',
    summary: 'Closes a session.',
    roles: MANAGERS,
    content: 'none',
    body: reasonBody,
    response: closed,
    errors: ['session-not-found'],
  })
  async close(
    @Param('session') id: string,
    @Body(valid(reasonBody)) { reason: why }: z.output<typeof reasonBody>,
    @CurrentCaller() { session, caller }: ApiCaller,
  ) {
    const ref = session(id);
    await this.commands.execute(new CloseSession(ref, why, caller));
    return { session: ref.session, closed: true as const };
  }
}
