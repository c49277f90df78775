import { ForkSession } from '@app/application';
import { forked } from '@app/contract';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { WRITERS } from '../roles.js';
import { asOf, sessionId } from '../shapes.js';

const body = z.strictObject({
  as: sessionId.describe('Name of the new session'),
  at: asOf
    .optional()
    .describe(
      'With the context as of a revision, a time or what a request was composed from; now where absent',
    ),
});

/** `POST /v1/sessions/:session/fork` */
@Controller()
export class ForkSessionController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions/:session/fork', {
    id: 'forkSession',
    summary: 'Copies the context of a session into a new session.',
    roles: WRITERS,
    content: 'none',
    status: 201,
    body,
    response: forked,
    errors: ['session-not-found', 'revision-not-found', 'request-not-found', 'session-already-open'],
  })
  fork(
    @Param('session') id: string,
    @Body(valid(body)) { as, at }: z.output<typeof body>,
    @CurrentCaller() { session, caller }: ApiCaller,
  ) {
    const request = { as, ...(at !== undefined && { at }) };
    return this.commands.execute(new ForkSession(session(id), request, caller));
  }
}
