import { CompleteTurn } from '@app/application';
import { completedTurn } from '@app/contract';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { WRITERS } from '../roles.js';
import { stopReason } from '../shapes.js';

const body = z.strictObject({
  stopReason: stopReason.default('end_turn').describe('Why it has ended'),
});

/** `POST /v1/sessions/:session/complete-turn` */
@Controller()
export class CompleteTurnController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions/:session/complete-turn', {
    id: 'completeTurn',
    summary: 'Ends the current turn and starts the compaction that waits for its end.',
    roles: WRITERS,
    content: 'none',
    body,
    response: completedTurn,
    errors: ['session-not-found', 'session-closed'],
  })
  complete(
    @Param('session') id: string,
    @Body(valid(body)) { stopReason }: z.output<typeof body>,
    @CurrentCaller() { session, caller }: ApiCaller,
  ) {
    return this.commands.execute(new CompleteTurn(session(id), stopReason, caller));
  }
}
