import { occupancy } from '../../occupancy/occupancy.js';
import type { SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { RequestCompactionCommand } from '../commands.js';
import { automatic } from '../compactions/check-budget.js';

/**
 * Asks for a compaction while nobody is waiting for the session, where its profile wants that. Nobody needs to hear why
 * there is none: the question comes again and again.
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
