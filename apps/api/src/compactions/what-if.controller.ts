import { WhatIf } from '@app/application';
import { profileSource, whatIfView } from '@app/contract';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { READERS } from '../sessions/roles.js';

const body = z.strictObject({
  profiles: z
    .array(profileSource)
    .max(20)
    .default([])
    .describe('The session’s own and every other, where none is named'),
});

/** `POST /v1/sessions/:session/what-if` */
@Controller()
export class WhatIfController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('POST', 'v1/sessions/:session/what-if', {
    id: 'compareProfiles',
    summary: 'Compares what several profiles would do with the session now.',
    roles: READERS,
    content: 'none',
    isRead: true,
    body,
    response: whatIfView,
    errors: ['session-not-found', 'unknown-profile', 'invalid-settings', 'compaction-disabled'],
  })
  try(
    @Param('session') id: string,
    @Body(valid(body)) { profiles }: z.output<typeof body>,
    @CurrentCaller() { session }: ApiCaller,
  ) {
    return this.queries.execute(new WhatIf(session(id), profiles));
  }
}
