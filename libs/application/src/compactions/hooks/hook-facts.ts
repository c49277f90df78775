import type { CompactionInFlight, EventData, Plan } from '@app/domain';
import { pick } from '@app/kernel';
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
  ...pick(plan, 'countedBefore', 'target', 'countedSummaryLimit'),
  inputHash,
});

export const completedFacts = (
  { tenant, session }: SessionRef,
  data: EventData<'CompactionCompleted'>,
): CompletedCompaction => ({
  tenantId: tenant,
  sessionId: session,
  ...pick(data, 'compactionId', 'attempt', 'worker', 'trigger', 'turn', 'cut', 'covered'),
  ...pick(data, 'countedBefore', 'countedAfter', 'billedBefore', 'billedAfter', 'target', 'summaryTokens'),
  droppedOutputs: data.droppedOutputs.length,
  ...(data.fidelity && { fidelity: data.fidelity.score }),
  ...pick(data, 'summarizer', 'usage', 'durationMs'),
});

export const failedFacts = (
  { tenant, session }: SessionRef,
  { compactionId, attempts, error }: EventData<'CompactionFailed'>,
): FailedCompaction => ({
  tenantId: tenant,
  sessionId: session,
  compactionId,
  attempts,
  rule: error.rule,
});
