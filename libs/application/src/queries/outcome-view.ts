import type { CompactionOutcome } from '../running/await-outcome.js';

/** How a compaction ended, as it is shown. */
export const outcomeView = ({ type, data }: CompactionOutcome) => {
  switch (type) {
    case 'CompactionCompleted': {
      const { compactionId, trigger, retention, summary } = data;
      const { countedBefore, countedAfter, billedBefore, billedAfter } = data;
      return {
        outcome: 'completed' as const,
        compactionId,
        trigger,
        countedBefore,
        countedAfter,
        billedBefore,
        billedAfter,
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
