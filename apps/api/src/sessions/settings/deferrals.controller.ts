import { DeferCompactions, ReleaseCompactions } from '@app/application';
import { deferred, holdUntil, released } from '@app/contract';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { MANAGERS } from '../roles.js';
import { reason, reasonBody } from '../shapes.js';

const deferral = z.strictObject({ until: holdUntil.describe('End of the hold'), reason });

/** Deferral of automatic compactions: `/v1/sessions/:session/defer` and `/release` */
@Controller()
export class DeferralsController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions/:session/defer', {
    id: 'deferCompactions',
    summary: 'Defers automatic compactions while requests still fit.',
    roles: MANAGERS,
    content: 'none',
    body: deferral,
    response: deferred,
    errors: ['session-not-found', 'session-closed', 'invalid-settings'],
  })
  async defer(
    @Param('session') id: string,
    @Body(valid(deferral)) hold: z.output<typeof deferral>,
    @CurrentCaller() { session, caller }: ApiCaller,
  ) {
    const ref = session(id);
    await this.commands.execute(new DeferCompactions(ref, hold, caller));
    return { session: ref.session, until: hold.until };
  }

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
