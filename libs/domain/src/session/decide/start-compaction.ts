import { sumTokens } from '@app/kernel';
import { prepare } from '../../compaction/prepare/prepare.js';
import type { StartCompactionCommand } from '../commands.js';
import type { SessionEvent } from '../events.js';
import type { OpenSession } from '../state.js';

/**
 * Begins the next attempt of the compaction that was requested; a worker that takes over from a dead one does
 * the same. The plan is made anew each time: what came since is in it.
 */
export const startCompaction = (
  { data: { compactionId, worker, summarizer, inputHash } }: StartCompactionCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  const { compaction } = session;
  if (compaction?.compactionId !== compactionId) return []; // It has ended.
  if (compaction.attempt >= compaction.profile.attemptsMax) {
    const error = compaction.lastError ?? { rule: 'worker-lost', detail: 'no attempt was ever finished' };
    return [{ type: 'CompactionFailed', data: { compactionId, attempts: compaction.attempt, error } }];
  }
  const plan = prepare(session, compaction.profile);
  if (plan.kind === 'none') {
    return [
      { type: 'CompactionSkipped', data: { compactionId, trigger: compaction.trigger, reason: plan.reason } },
    ];
  }
  return [
    {
      type: 'CompactionStarted',
      data: {
        compactionId,
        attempt: compaction.attempt + 1,
        worker,
        summarizer,
        stages: plan.stages,
        turn: session.turn,
        cut: plan.cut,
        splitTurn: plan.splitPrefix.length > 0,
        coveredMessages: plan.covered.length,
        coveredTokens: sumTokens(plan.covered.map((entry) => entry.tokens)),
        tokensBefore: plan.tokensBefore,
        target: plan.target,
        inputHash,
      },
    },
  ];
};
