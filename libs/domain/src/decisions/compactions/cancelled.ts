import type { CompactionCancelled, SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';

/** The end of the compaction that is asked for, under way or waiting, where there is one: its context is about to change. */
export const cancelled = (
  { compaction, deferred }: OpenSession,
  by: CompactionCancelled['data']['by'],
  reason: string,
): readonly SessionEvent[] => {
  const open = compaction ?? deferred; // Never both.
  return open ? [{ type: 'CompactionCancelled', data: { compactionId: open.compactionId, by, reason } }] : [];
};
