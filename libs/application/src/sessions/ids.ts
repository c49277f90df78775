import { createHash } from 'node:crypto';
import type { SessionState } from '@app/domain';
import { CompactionId, RequestId, type Revision, type SessionId } from '@app/kernel';

/**
 * Returns the ID of the next compaction, reset or fork of a session. It is derived from the session's ID and the number of
 * earlier ones, so that equal calls give equal IDs. Call it with the state that is decided on; after a conflict, call it again.
 */
export const nextCompactionId = (session: SessionId, state: SessionState): CompactionId => {
  const named = state.status === 'open' ? state.compactionIdCount : 0;
  const digest = createHash('sha256').update(`${session} ${named}`).digest('hex');
  return CompactionId(`cmp_${digest.slice(0, 24)}`);
};

/** Returns the ID of the request that a session composes at a revision. It tells nothing about the content, and outlives it. */
export const requestIdAt = (session: SessionId, revision: Revision): RequestId => {
  const digest = createHash('sha256').update(`${session} ${revision}`).digest('hex');
  return RequestId(`req-${revision}-${digest.slice(0, 12)}`);
};
