import { createHash } from 'node:crypto';
import { RequestId, type Revision, type SessionId } from '@app/kernel';

/** Returns the ID of the request that a session composes at a revision. It tells nothing about the content, and outlives it. */
export const requestIdAt = (session: SessionId, revision: Revision): RequestId => {
  const digest = createHash('sha256').update(`${session} ${revision}`).digest('hex');
  return RequestId(`req-${revision}-${digest.slice(0, 12)}`);
};
