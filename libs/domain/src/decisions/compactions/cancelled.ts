import type { CompactionCancelled, SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';

/**
 * Returns the cancellation of the requested, running or deferred compaction, because its context is about to change.
 */
export const cancelled = (
  { compaction, deferred }: OpenSession,
  by: CompactionCancelled['data']['by'],
  reason: string,
): readonly SessionEvent[] => {
  const open = compaction ?? deferred; // Never both.
  return open ? [{ type: 'CompactionCancelled', data: { compactionId: open.compactionId, by, reason } }] : [];
};
