import type { SessionEventType } from '@app/domain';
import type { CompactionOutcome } from '@app/ports';

/** Returns the compaction's outcome by an event of this type; `null` if it neither ends nor undoes one. */
export const outcomeOf = (type: SessionEventType): CompactionOutcome | null => {
  switch (type) {
    case 'CompactionCompleted':
      return 'completed';
    case 'CompactionFailed':
      return 'failed';
    case 'CompactionSkipped':
      return 'skipped';
    case 'CompactionCancelled':
      return 'cancelled';
    case 'CompactionReverted':
      return 'reverted';
    default:
      return null; // It goes on, or it is no event of a compaction.
  }
};
