import { CloseSession } from '@app/application';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { MANAGERS } from '../roles.js';
import { ASKED_FOR, reason } from '../shapes.js';

const body = z.strictObject({ reason: reason.default(ASKED_FOR) });

const response = z.object({ session: z.string(), closed: z.literal(true) });

/** `POST /v1/sessions/:session/close` */
@Controller()
export class CloseSessionController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions/:session/close', {
    summary: 'Ends a session for good; it can be read for ever.',
    roles: MANAGERS,
    content: 'none',
    body,
    response,
    errors: ['session-not-found'],
  })
  async close(
    @Param('session') id: string,
    @Body(valid(body)) { reason: why }: z.output<typeof body>,
    @CalledBy() { session, caller }: Calling,
  ) {
    await this.commands.execute(new CloseSession(session(id), why, caller));
    return { session: id, closed: true };
  }
}
