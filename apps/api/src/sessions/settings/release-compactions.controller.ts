import { ReleaseCompactions } from '@app/application';
import { released } from '@app/contract';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { MANAGERS } from '../roles.js';
import { reasonBody } from '../shapes.js';

/** `POST /v1/sessions/:session/release` */
@Controller()
export class ReleaseCompactionsController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions/:session/release', {
    id: 'releaseCompactions',
    summary: 'Resumes automatic compactions and starts the deferred one.',
    roles: MANAGERS,
    content: 'none',
    body: reasonBody,
    response: released,
    errors: ['session-not-found', 'session-closed'],
  })
  release(
    @Param('session') id: string,
    @Body(valid(reasonBody)) { reason: why }: z.output<typeof reasonBody>,
    @CurrentCaller() { session, caller }: ApiCaller,
  ) {
    return this.commands.execute(new ReleaseCompactions(session(id), why, caller));
  }
}
