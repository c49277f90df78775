import { RevertCompaction } from '@app/application';
import { reverted } from '@app/contract';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { MANAGERS } from '../sessions/roles.js';
import { compactionId, reasonBody } from '../sessions/shapes.js';

const body = z.strictObject({
  compactionId: compactionId.optional().describe('The one that you mean; refused where another is in force'),
  ...reasonBody.shape,
});

/** `POST /v1/sessions/:session/revert` */
@Controller()
export class RevertCompactionController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions/:session/revert', {
    id: 'revertCompaction',
    summary: 'Reverts the compaction in force.',
    roles: MANAGERS,
    content: 'none',
    body,
    response: reverted,
    errors: ['session-not-found', 'session-closed', 'compaction-not-revertible'],
  })
  revert(
    @Param('session') id: string,
    @Body(valid(body)) given: z.output<typeof body>,
    @CurrentCaller() { session, caller }: ApiCaller,
  ) {
    const request = {
      reason: given.reason,
      ...(given.compactionId !== undefined && { compactionId: given.compactionId }),
    };
    return this.commands.execute(new RevertCompaction(session(id), request, caller));
  }
}
