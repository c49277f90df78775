import type { SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { CancelCompactionCommand } from '../commands.js';
import { cancelled } from './cancelled.js';

/** Gives a compaction up that has not ended, or not begun; one that has is left as it is. */
export const cancelCompaction = (
  { data: { compactionId, reason, by = 'caller' } }: CancelCompactionCommand,
  session: OpenSession,
): readonly SessionEvent[] =>
  (session.compaction ?? session.deferred)?.compactionId === compactionId
    ? cancelled(session, by, reason)
    : [];
