import { DeferCompactions } from '@app/application';
import { deferred, holdUntil } from '@app/contract';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { MANAGERS } from '../roles.js';
import { reason } from '../shapes.js';

const body = z.strictObject({ until: holdUntil.describe('End of the hold'), reason });

/** `POST /v1/sessions/:session/defer` */
@Controller()
export class DeferCompactionsController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions/:session/defer', {
    id: 'deferCompactions',
    summary: 'Defers automatic compactions while requests still fit.',
    roles: MANAGERS,
    content: 'none',
    body,
    response: deferred,
    errors: ['session-not-found', 'session-closed', 'invalid-settings'],
  })
  async defer(
    @Param('session') id: string,
    @Body(valid(body)) hold: z.output<typeof body>,
    @CurrentCaller() { session, caller }: ApiCaller,
  ) {
    const ref = session(id);
    await this.commands.execute(new DeferCompactions(ref, hold, caller));
    return { session: ref.session, until: hold.until };
  }
}
