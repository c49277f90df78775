import { occupancy } from '../../occupancy/occupancy.js';
import type { SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { RequestCompactionCommand } from '../commands.js';
import { automatic } from '../compactions/check-budget.js';

/**
 * Requests a compaction of an idle session, if the profile enables it. Records no reason for a skip, because the
 * check is repeated.
 */
export const requestIdle = (
  { compactionId, now }: RequestCompactionCommand['data'],
  session: OpenSession,
): readonly SessionEvent[] => {
  const { profile, limits, hold, deferred, pivot, entries } = session;
  if (profile.mode !== 'automatic' || profile.idleAfterMinutes === 0 || hold || deferred) return [];
  if (limits.window === 0 || occupancy(session) < limits.window * profile.idleAtShare) return [];
  const newest = entries.at(-1);
  if (!newest || newest.revision < (pivot?.revision ?? 0)) return []; // Nothing has come since the last one.
  const events = automatic(compactionId, session, 'idle', now);
  return events.some(({ type }) => type === 'CompactionRequested') ? events : [];
};
