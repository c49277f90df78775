import { ReleaseCompactions } from '@app/application';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { MANAGERS } from '../roles.js';
import { ASKED_FOR, reason } from '../shapes.js';

const body = z.strictObject({ reason: reason.default(ASKED_FOR) });

const response = z.looseObject({
  released: z.boolean().describe('`false` where nothing was held'),
  compactionId: z.string().optional().describe('The compaction that has waited for this'),
});

/** `POST /v1/sessions/:session/release` */
@Controller()
export class ReleaseCompactionsController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions/:session/release', {
    summary: 'Lets automatic compactions run again, and what has waited runs now.',
    roles: MANAGERS,
    content: 'none',
    body,
    response,
    errors: ['session-not-found', 'session-closed'],
  })
  release(
    @Param('session') id: string,
    @Body(valid(body)) { reason: why }: z.output<typeof body>,
    @CalledBy() { session, caller }: Calling,
  ) {
    return this.commands.execute(new ReleaseCompactions(session(id), why, caller));
  }
}
