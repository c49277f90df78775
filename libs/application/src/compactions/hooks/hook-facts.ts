import type { CompactionInFlight, EventOf, Plan } from '@app/domain';
import type { CompletedCompaction, FailedCompaction, PlannedCompaction } from '@app/ports';
import type { SessionRef } from '../../sessions/session-ref.js';

/** Hooks receive these facts field by field, so that content in events and plans is never passed on. */

export const plannedFacts = (
  { tenant, session }: SessionRef,
  { compactionId, trigger, turn, profile, instructions }: CompactionInFlight,
  plan: Plan,
  inputHash: string,
): PlannedCompaction => ({
  tenantId: tenant,
  sessionId: session,
  compactionId,
  trigger,
  turn,
  profile: profile.name,
  stages: plan.stages,
  ...(instructions !== undefined && { instructions }),
  cut: plan.cut,
  covered: plan.covered.map(({ message }) => message.id),
  retained: plan.retained.length,
  splitTurn: plan.splitPrefix.length > 0,
  countedBefore: plan.countedBefore,
  target: plan.target,
  countedSummaryLimit: plan.countedSummaryLimit,
  inputHash,
});

export const completedFacts = (
  { tenant, session }: SessionRef,
  data: EventOf<'CompactionCompleted'>['data'],
): CompletedCompaction => ({
  tenantId: tenant,
  sessionId: session,
  compactionId: data.compactionId,
  attempt: data.attempt,
  worker: data.worker,
  trigger: data.trigger,
  turn: data.turn,
  cut: data.cut,
  covered: data.covered,
  countedBefore: data.countedBefore,
  countedAfter: data.countedAfter,
  billedBefore: data.billedBefore,
  billedAfter: data.billedAfter,
  target: data.target,
  summaryTokens: data.summaryTokens,
  droppedOutputs: data.droppedOutputs.length,
  ...(data.fidelity && { fidelity: data.fidelity.score }),
  summarizer: data.summarizer,
  ...(data.usage && { usage: data.usage }),
  durationMs: data.durationMs,
});

export const failedFacts = (
  { tenant, session }: SessionRef,
  { compactionId, attempts, error }: EventOf<'CompactionFailed'>['data'],
): FailedCompaction => ({
  tenantId: tenant,
  sessionId: session,
  compactionId,
  attempts,
  rule: error.rule,
});
