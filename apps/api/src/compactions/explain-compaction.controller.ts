import { ExplainCompaction } from '@app/application';
import { CompactionId } from '@app/kernel';
import { Controller, Inject, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../http/calling.js';
import { Endpoint } from '../http/endpoint.js';
import { READERS } from '../sessions/roles.js';
import { pivotKind } from '../sessions/shapes.js';
import { turnRetention } from '../sessions/shapes.js';
import { plan } from './shapes.js';

const response = z.looseObject({
  session: z.string(),
  compactionId: z.string(),
  kind: pivotKind,
  outcome: z.looseObject({ status: z.string() }).optional().describe('Of a compaction'),
  why: z
    .looseObject({ trigger: z.string(), actor: z.string(), occupancy: z.int(), window: z.int() })
    .optional()
    .describe('What caused it'),
  plan: plan.nullish(),
  turns: z.array(turnRetention).optional(),
  attempts: z.array(z.looseObject({ attempt: z.int(), outcome: z.string() })).optional(),
  verified: z.looseObject({ countedBefore: z.int(), countedAfter: z.int() }).nullish(),
  lost: z.looseObject({}).nullish().describe('Names and directives that the summary lacks'),
  covered: z.looseObject({ messages: z.int(), from: z.string(), to: z.string() }).nullish(),
  previous: z.string().nullish(),
});

/** `GET /v1/sessions/:session/compactions/:compaction` */
@Controller()
export class ExplainCompactionController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/compactions/:compaction', {
    id: 'explainCompaction',
    summary: 'Explains a compaction: its trigger, plan, attempts, result and cost.',
    roles: READERS,
    content: { in: ['lost'] },
    response,
    errors: ['session-not-found', 'compaction-not-found', 'invalid-id'],
  })
  explain(
    @Param('session') id: string,
    @Param('compaction') compaction: string,
    @CalledBy() { session }: Calling,
  ) {
    return this.queries.execute(new ExplainCompaction(session(id), CompactionId(compaction)));
  }
}
