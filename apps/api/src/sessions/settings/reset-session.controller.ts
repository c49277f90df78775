import { ResetSession } from '@app/application';
import { resetDone } from '@app/contract';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { MANAGERS } from '../roles.js';
import { reasonBody } from '../shapes.js';

const body = z.strictObject({
  confirm: z.boolean().default(false).describe('Yes, the history is to be cleared'),
  ...reasonBody.shape,
});

/** `POST /v1/sessions/:session/reset` */
@Controller()
export class ResetSessionController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions/:session/reset', {
    id: 'resetSession',
    summary: 'Clears the context down to the current user input; the log keeps everything.',
    roles: MANAGERS,
    content: 'none',
    body,
    response: resetDone,
    errors: ['session-not-found', 'session-closed', 'confirmation-required'],
  })
  async reset(
    @Param('session') id: string,
    @Body(valid(body)) request: z.output<typeof body>,
    @CurrentCaller() { session, caller }: ApiCaller,
  ) {
    const ref = session(id);
    const outcome = await this.commands.execute(new ResetSession(ref, request, caller));
    if (!outcome) return { session: ref.session, reset: false as const };
    const { compactionId, clearedMessages, countedBefore, countedAfter, billedBefore, billedAfter } = outcome;
    const sizes = { countedBefore, countedAfter, billedBefore, billedAfter };
    return { session: ref.session, reset: true as const, compactionId, clearedMessages, ...sizes };
  }
}
