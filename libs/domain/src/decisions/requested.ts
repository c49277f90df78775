import type { CompactionId, Revision } from '@app/kernel';
import type { NoPlan, Plan } from '../compaction/plan.js';
import { requestedPlan } from '../compaction/running-plan.js';
import { occupancy } from '../occupancy/occupancy.js';
import type { CountTrigger, EventOf } from '../session/events.js';
import type { OpenSession, WantedCompaction } from '../session/state.js';
import { isRecorded } from './state-after.js';

/**
 * Returns the request for a compaction of the current session with its plan; `session` is the one that the plan was
 * made for.
 */
export const requested = (
  session: OpenSession,
  { compactionId, trigger, profile, instructions }: WantedCompaction,
  plan?: Plan | NoPlan,
  count?: CountTrigger,
): EventOf<'CompactionRequested'> => ({
  type: 'CompactionRequested',
  data: {
    compactionId,
    trigger,
    profile,
    ...(instructions !== undefined && { instructions }),
    ...(plan?.kind === 'plan' && { plan: requestedPlan(plan, session) }),
    occupancy: occupancy(session),
    turn: session.turn,
    ...(session.request.contributed > 0 && { contributed: session.request.contributed }),
    ...waitOf(session, compactionId),
    ...(count && { count }),
  },
});

/** Returns the start of a compaction's deferral. A compaction deferred and requested in one append has none. */
export const waitOf = (
  { deferred }: OpenSession,
  compactionId: CompactionId,
): { readonly deferredAt?: Revision } =>
  deferred?.compactionId === compactionId && isRecorded(deferred.deferredAt)
    ? { deferredAt: deferred.deferredAt }
    : {};
