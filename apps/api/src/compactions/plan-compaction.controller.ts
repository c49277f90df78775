import { PlanCompaction, planView } from '@app/application';
import { plannedCompaction, profileSource } from '@app/contract';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { READERS } from '../sessions/roles.js';

const body = z.strictObject({
  profile: profileSource.optional().describe('Another policy than the session’s'),
});

/** `POST /v1/sessions/:session/plan` */
@Controller()
export class PlanCompactionController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('POST', 'v1/sessions/:session/plan', {
    id: 'planCompaction',
    summary: 'Returns the plan of a compaction without running it.',
    roles: READERS,
    content: 'none',
    isRead: true,
    body,
    response: plannedCompaction,
    errors: ['session-not-found', 'unknown-profile', 'invalid-settings'],
  })
  async plan(
    @Param('session') id: string,
    @Body(valid(body)) { profile: other }: z.output<typeof body>,
    @CurrentCaller() { session }: ApiCaller,
  ) {
    return planView(await this.queries.execute(new PlanCompaction(session(id), other)));
  }
}
