import { CancelCompaction } from '@app/application';
import { CompactionId } from '@app/kernel';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { MANAGERS } from '../sessions/roles.js';
import { reasonBody } from '../sessions/shapes.js';

const response = z.object({
  compactionId: z.string(),
  cancelled: z.boolean().describe('`false` where it had ended already, or was never asked for'),
});

/** `POST /v1/sessions/:session/compactions/:compaction/cancel` */
@Controller()
export class CancelCompactionController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions/:session/compactions/:compaction/cancel', {
    id: 'cancelCompaction',
    summary: 'Cancels a compaction.',
    roles: MANAGERS,
    content: 'none',
    body: reasonBody,
    response,
    errors: ['session-not-found', 'invalid-id'],
  })
  cancel(
    @Param('session') id: string,
    @Param('compaction') compaction: string,
    @Body(valid(reasonBody)) { reason: why }: z.output<typeof reasonBody>,
    @CurrentCaller() { session, caller }: ApiCaller,
  ) {
    const request = { compactionId: CompactionId(compaction), reason: why };
    return this.commands.execute(new CancelCompaction(session(id), request, caller));
  }
}
