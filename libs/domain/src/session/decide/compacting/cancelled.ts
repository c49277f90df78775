import type { CompactionCancelled, SessionEvent } from '../../events.js';
import type { OpenSession } from '../../state.js';

/** The end of the compaction that is asked for or under way, where there is one: its context is about to change. */
export const cancelled = (
  { compaction }: OpenSession,
  by: CompactionCancelled['data']['by'],
  reason: string,
): readonly SessionEvent[] =>
  compaction
    ? [{ type: 'CompactionCancelled', data: { compactionId: compaction.compactionId, by, reason } }]
    : [];
