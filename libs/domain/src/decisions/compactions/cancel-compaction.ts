import type { EventData, SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { Decide } from '../commands.js';

/** Gives a compaction up that has not ended, or not begun; one that has is left as it is. */
export const cancelCompaction: Decide<'CancelCompaction'> = (
  { data: { compactionId, reason, by = 'caller' } },
  session,
) =>
  (session.compaction ?? session.deferred)?.compactionId === compactionId
    ? cancelled(session, by, reason)
    : [];

/**
 * Returns the cancellation of the requested, running or deferred compaction, because its context is about to change.
 */
export const cancelled = (
  { compaction, deferred }: OpenSession,
  by: EventData<'CompactionCancelled'>['by'],
  reason: string,
): readonly SessionEvent[] => {
  const open = compaction ?? deferred; // Never both.
  return open ? [{ type: 'CompactionCancelled', data: { compactionId: open.compactionId, by, reason } }] : [];
};
