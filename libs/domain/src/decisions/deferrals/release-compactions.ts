import type { SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { ReleaseCompactionsCommand } from '../commands.js';
import { stateAfter } from '../state-after.js';
import { requestDeferred } from './request-deferred.js';

/**
 * Releases automatic compactions. One deferred by the hold is requested at once; one deferred to the end of the turn
 * stays deferred.
 */
export const releaseCompactions = (
  { data: { by, reason } }: ReleaseCompactionsCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  if (!session.hold) return [];
  const released: SessionEvent = { type: 'CompactionsReleased', data: { by, reason } };
  if (session.deferred?.trigger === 'requested-mid-turn') return [released];
  return [released, ...requestDeferred(stateAfter(session, released))];
};
