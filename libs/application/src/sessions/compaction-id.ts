import { createHash } from 'node:crypto';
import type { SessionState } from '@app/domain';
import { CompactionId, type SessionId } from '@app/kernel';

/**
 * Returns the id of the next compaction, reset or fork of a session: it follows from the session's id and how many of them
 * it has had, and so it is the same wherever the same calls are made, whatever stood between them. To be asked for on the
 * very state that is decided on: the loser of a race asks anew.
 */
export const nextCompactionId = (session: SessionId, state: SessionState): CompactionId => {
  const named = state.status === 'open' ? state.compactionIdCount : 0;
  const digest = createHash('sha256').update(`${session} ${named}`).digest('hex');
  return CompactionId(`cmp_${digest.slice(0, 24)}`);
};
