import { isAskedFor, type SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
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
