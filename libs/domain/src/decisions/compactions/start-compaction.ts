import { pick, sumTokens } from '@app/kernel';
import { nextPlan } from '../../compaction/running-plan.js';
import { occupancy } from '../../occupancy/occupancy.js';
import type { SessionEvent } from '../../session/events.js';
import type { CompactionInFlight, OpenSession } from '../../session/state.js';
import type { CommandOf, Decide } from '../commands.js';
import { failedFor } from './circuit.js';

/**
 * Starts the next attempt of the requested compaction. A worker that replaces a dead one does the same and so ends
 * the other's attempt. The attempt follows the requested plan regardless of later messages; if the covered entries
 * have changed, a new plan is recorded.
 */
export const startCompaction: Decide<'StartCompaction'> = (command, session) => {
  const { compaction } = session;
  if (compaction?.compactionId !== command.data.compactionId) return []; // It has ended.
  if (!compaction.running) return attempted(command, session, compaction);
  // Every attempt has an outcome in the log: the successor records that of a dead worker.
  const { compactionId, attempt, worker } = compaction.running;
  const error = {
    rule: 'worker-lost',
    detail: `${worker} did not finish: ${command.data.worker} takes over`,
  };
  const lost: SessionEvent = { type: 'CompactionAttemptFailed', data: { compactionId, attempt, error } };
  return [lost, ...attempted(command, session, { ...compaction, lastError: error })];
};

const attempted = (
  {
    data: { compactionId, worker, summarizer, inputHash, contextLines = [], now },
  }: CommandOf<'StartCompaction'>,
  session: OpenSession,
  compaction: CompactionInFlight,
): readonly SessionEvent[] => {
  const { attempt, trigger, profile, lastError } = compaction;
  if (attempt >= profile.maxAttempts) {
    const error = lastError ?? { rule: 'worker-lost', detail: 'no attempt was ever finished' };
    const failed = { compactionId, attempts: attempt, error };
    return failedFor(session, { type: 'CompactionFailed', data: failed }, now);
  }
  const { plan, asked } = nextPlan(session, compaction);
  if (plan.kind === 'none') {
    return [{ type: 'CompactionSkipped', data: { compactionId, trigger, reason: plan.reason } }];
  }
  const started: SessionEvent = {
    type: 'CompactionStarted',
    data: {
      compactionId,
      attempt: attempt + 1,
      worker,
      summarizer,
      stages: plan.stages,
      turn: session.turn,
      cut: plan.cut,
      splitTurn: plan.splitPrefix.length > 0,
      coveredMessages: plan.covered.length,
      coveredTokens: sumTokens(plan.covered.map((entry) => entry.tokens)),
      countedBefore: asked?.countedBefore ?? plan.countedBefore,
      billedBefore: occupancy(session),
      ...pick(plan, 'target', 'targetRaised', 'protection'),
      ...(compaction.plan && !asked && { replanned: true }),
      inputHash,
      ...(contextLines.length > 0 && { contextLines }),
    },
  };
  return [started];
};
