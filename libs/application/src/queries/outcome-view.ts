import type { CompactionOutcome } from '../sessions/await-outcome.js';

/** Returns the public form of a compaction's outcome. */
export const outcomeView = ({ type, data }: CompactionOutcome) => {
  switch (type) {
    case 'CompactionCompleted': {
      const { compactionId, trigger, attempt, retention, summary } = data;
      const { countedBefore, countedAfter, billedBefore, billedAfter } = data;
      const { summarizer, usage, cost, durationMs, cut, covered, fileOperations, fidelity } = data;
      return {
        outcome: 'completed' as const,
        compactionId,
        trigger,
        attempts: attempt,
        countedBefore,
        countedAfter,
        billedBefore,
        billedAfter,
        target: data.target,
        targetRaised: data.targetRaised ?? null,
        protection: data.protection ?? null,
        /** `deterministic` tells whether the same input gives the same summary. */
        summarizer,
        usage: usage ?? null,
        cost: cost ?? null,
        durationMs,
        /** First retained message. */
        retainedFrom: cut?.messageId ?? null,
        coveredMessages: covered?.messages ?? 0,
        fileOperations,
        fidelity: fidelity
          ? { score: fidelity.score, keys: fidelity.keys, missingKeys: fidelity.missingKeys ?? null }
          : null,
        retention,
        summary,
      };
    }
    case 'CompactionFailed':
      return { outcome: 'failed' as const, ...data };
    case 'CompactionSkipped':
      return { outcome: 'skipped' as const, ...data };
    case 'CompactionCancelled':
      return { outcome: 'cancelled' as const, ...data };
  }
};
export type OutcomeView = ReturnType<typeof outcomeView>;
