import { ExplainCompaction } from '@app/application';
import { explanation } from '@app/contract';
import { CompactionId } from '@app/kernel';
import { Controller, Inject, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { READERS } from '../sessions/roles.js';

/** `GET /v1/sessions/:session/compactions/:compaction` */
@Controller()
export class ExplainCompactionController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/compactions/:compaction', {
    id: 'explainCompaction',
    summary: 'Explains a compaction: its trigger, plan, attempts, result and cost.',
    roles: READERS,
    content: { in: ['lost'] },
    response: explanation,
    errors: ['session-not-found', 'compaction-not-found', 'invalid-id'],
  })
  explain(
    @Param('session') id: string,
    @Param('compaction') compaction: string,
    @CurrentCaller() { session }: ApiCaller,
  ) {
    return this.queries.execute(new ExplainCompaction(session(id), CompactionId(compaction)));
  }
}
