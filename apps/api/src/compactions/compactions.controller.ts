import {
  CancelCompaction,
  ExplainCompaction,
  outcomeView,
  RevertCompaction,
  ShowSession,
} from '@app/application';
import { compactionOutcome, compactionSummary, explanation, reverted } from '@app/contract';
import { CompactionId } from '@app/kernel';
import { Body, Controller, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { pageOf, pageQuery, pageRequest, shownPage } from '../http/page.js';
import { valid } from '../http/valid.js';
import { MANAGERS, READERS } from '../sessions/roles.js';
import { compactionId, reasonBody } from '../sessions/shapes.js';

const listCompactionsQuery = z.strictObject(pageQuery);

const awaitOutcomeQuery = z.strictObject({
  timeoutSeconds: z.coerce.number().int().min(1).max(600).default(60).describe('Maximum wait in seconds'),
});

const cancelCompactionResponse = z.object({
  compactionId: z.string(),
  cancelled: z.boolean().describe('`false` if it had already ended or was never requested'),
});

const revertCompactionBody = z.strictObject({
  compactionId: compactionId
    .exactOptional()
    .describe('The expected compaction; the request is refused if another one is in force'),
  ...reasonBody.shape,
});

/** Compactions of a session: lists, explains, awaits, cancels and reverts them. */
@Controller()
export class CompactionsController extends BusController {
  @Endpoint('GET', 'v1/sessions/:session/compactions', {
    id: 'listCompactions',
    summary: 'Lists the compactions of a session, newest first.',
    roles: READERS,
    content: 'none',
    query: listCompactionsQuery,
    response: pageOf(compactionSummary),
    errors: ['session-not-found', 'projection-behind'],
  })
  async list(
    @Query(valid(listCompactionsQuery)) page: z.output<typeof listCompactionsQuery>,
    @CurrentCaller() { ref }: ApiCaller,
  ) {
    await this.queries.execute(new ShowSession(ref)); // Throws for an unknown session, which would look like one without compactions.
    return shownPage(await this.engine.readModels.compactionPage(ref, pageRequest(page)));
  }

  @Endpoint('GET', 'v1/sessions/:session/compactions/:compaction', {
    id: 'explainCompaction',
    summary: 'Explains a compaction: its trigger, plan, attempts, result and cost.',
    roles: READERS,
    content: { in: ['lost'] },
    response: explanation,
    errors: ['session-not-found', 'compaction-not-found', 'invalid-id'],
  })
  explain(@Param('compaction') compaction: string, @CurrentCaller() { ref }: ApiCaller) {
    return this.queries.execute(new ExplainCompaction(ref, CompactionId(compaction)));
  }

  @Endpoint('GET', 'v1/sessions/:session/compactions/:compaction/outcome', {
    id: 'awaitOutcome',
    summary: 'Waits for the end of a compaction and returns its outcome.',
    roles: READERS,
    content: { in: ['summary', 'fileOperations'] },
    query: awaitOutcomeQuery,
    response: compactionOutcome,
    errors: ['session-not-found', 'compaction-not-found', 'compaction-timed-out', 'invalid-id'],
  })
  async wait(
    @Param('compaction') compaction: string,
    @Query(valid(awaitOutcomeQuery)) { timeoutSeconds }: z.output<typeof awaitOutcomeQuery>,
    @CurrentCaller() { ref }: ApiCaller,
  ) {
    const outcome = this.engine.outcomes.outcomeOf(ref, CompactionId(compaction), timeoutSeconds * 1_000);
    return outcomeView(await outcome);
  }

  @Endpoint('POST', 'v1/sessions/:session/compactions/:compaction/cancel', {
    id: 'cancelCompaction',
    summary: 'Cancels a compaction.',
    roles: MANAGERS,
    content: 'none',
    body: reasonBody,
    response: cancelCompactionResponse,
    errors: ['session-not-found', 'invalid-id'],
  })
  cancel(
    @Param('compaction') compaction: string,
    @Body(valid(reasonBody)) { reason: why }: z.output<typeof reasonBody>,
    @CurrentCaller() { ref, caller }: ApiCaller,
  ) {
    const request = { compactionId: CompactionId(compaction), reason: why };
    return this.commands.execute(new CancelCompaction(ref, request, caller));
  }

  @Endpoint('POST', 'v1/sessions/:session/revert', {
    id: 'revertCompaction',
    summary: 'Reverts the compaction in force.',
    roles: MANAGERS,
    content: 'none',
    body: revertCompactionBody,
    response: reverted,
    errors: ['session-not-found', 'session-closed', 'compaction-not-revertible'],
  })
  revert(
    @Body(valid(revertCompactionBody)) request: z.output<typeof revertCompactionBody>,
    @CurrentCaller() { ref, caller }: ApiCaller,
  ) {
    return this.commands.execute(new RevertCompaction(ref, request, caller));
  }
}
