import { occupancy } from '../../occupancy/occupancy.js';
import { isAskedFor, type SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { CommandOf } from '../commands.js';
import { automatic } from '../compactions/check-budget.js';
import { explicitTrialOf } from '../compactions/circuit.js';
import { planNow } from '../compactions/give-up-calls.js';
import { requested } from '../requested.js';

/** Requests the deferred compaction, if there is one. */
export const requestDeferred = (session: OpenSession): readonly SessionEvent[] => {
  const { deferred } = session;
  if (!deferred) return [];
  const { compactionId, trigger, profile } = deferred;
  const lifted = isAskedFor(trigger) ? explicitTrialOf(session) : [];
  const { plan, givenUp } = planNow(session, profile);
  const asked = [...givenUp, requested(session, deferred, plan)];
  if (plan.kind === 'plan') return [...lifted, ...asked];
  return [...asked, { type: 'CompactionSkipped', data: { compactionId, trigger, reason: plan.reason } }];
};

/**
 * Requests a compaction of an idle session, if the profile enables it. Records no reason for a skip, because the
 * check is repeated.
 */
export const requestIdle = (
  { compactionId, now }: CommandOf<'RequestCompaction'>['data'],
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
