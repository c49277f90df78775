import { ExplainCompaction, type OutcomeWaiter, outcomeView } from '@app/application';
import { compactionOutcome } from '@app/contract';
import { CompactionId } from '@app/kernel';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { READERS } from '../sessions/roles.js';
import { OUTCOMES } from '../symbols.js';

const query = z.strictObject({
  timeoutSeconds: z.coerce.number().int().min(1).max(600).default(60).describe('Seconds to wait at most'),
});

/** `GET /v1/sessions/:session/compactions/:compaction/outcome` */
@Controller()
export class AwaitOutcomeController {
  constructor(
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(OUTCOMES) private readonly outcomes: OutcomeWaiter,
  ) {}

  @Endpoint('GET', 'v1/sessions/:session/compactions/:compaction/outcome', {
    id: 'awaitOutcome',
    summary: 'Waits for the end of a compaction and returns its outcome.',
    roles: READERS,
    content: { in: ['summary', 'fileOperations'] },
    query,
    response: compactionOutcome,
    errors: ['session-not-found', 'compaction-not-found', 'compaction-timed-out', 'invalid-id'],
  })
  async wait(
    @Param('session') id: string,
    @Param('compaction') compaction: string,
    @Query(valid(query)) { timeoutSeconds }: z.output<typeof query>,
    @CurrentCaller() { session }: ApiCaller,
  ) {
    const [ref, compactionId] = [session(id), CompactionId(compaction)];
    await this.queries.execute(new ExplainCompaction(ref, compactionId)); // Throws for an unknown compaction.
    return outcomeView(await this.outcomes.outcomeOf(ref, compactionId, timeoutSeconds * 1_000));
  }
}
