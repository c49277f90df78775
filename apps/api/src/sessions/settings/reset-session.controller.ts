import { ResetSession } from '@app/application';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { MANAGERS } from '../roles.js';
import { reasonBody } from '../shapes.js';

const body = z.strictObject({
  confirm: z.boolean().default(false).describe('Yes, the history is to be cleared'),
  ...reasonBody.shape,
});

const response = z.looseObject({
  session: z.string(),
  reset: z.boolean().describe('`false` where there was nothing to clear'),
  compactionId: z.string().optional().describe('What reverts it'),
  clearedMessages: z.int().optional(),
  countedBefore: z.int().optional(),
  countedAfter: z.int().optional(),
  billedBefore: z.int().optional(),
  billedAfter: z.int().optional(),
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
    response,
    errors: ['session-not-found', 'session-closed', 'confirmation-required'],
  })
  async reset(
    @Param('session') id: string,
    @Body(valid(body)) request: z.output<typeof body>,
    @CalledBy() { session, caller }: Calling,
  ) {
    const outcome = await this.commands.execute(new ResetSession(session(id), request, caller));
    if (!outcome) return { session: id, reset: false };
    const { compactionId, clearedMessages, countedBefore, countedAfter, billedBefore, billedAfter } = outcome;
    const sizes = { countedBefore, countedAfter, billedBefore, billedAfter };
    return { session: id, reset: true, compactionId, clearedMessages, ...sizes };
  }
}
