import { Actor, type CompactionId } from '@app/kernel';
import type { Plan } from '../../compaction/plan.js';
import { occupancy } from '../../occupancy/occupancy.js';
import type { Profile } from '../../profiles/profile.js';
import type { CountTrigger, EventData, EventOf, SessionEvent, Trigger } from '../../session/events.js';
import type { OpenSession, WantedCompaction } from '../../session/state.js';
import type { CommandOf } from '../commands.js';
import { requested, waitOf } from '../requested.js';
import { requestVerdict } from '../requests/request-verdict.js';

const SYSTEM = Actor('system');

/**
 * Returns whether an automatic compaction can be deferred: the next request fits without it, and the last one did not
 * overflow.
 */
export const mayWait = (session: OpenSession, trigger: Trigger): boolean =>
  trigger !== 'overflow' && requestVerdict(session).kind === 'may-go';

/**
 * Returns the events of an automatic compaction: a request under the id of a deferred one, if there is one; a
 * deferral if compactions are held.
 */
export const automaticRequest = (
  session: OpenSession,
  compactionId: CompactionId,
  trigger: Trigger,
  plan: Plan,
  count?: CountTrigger,
): SessionEvent => {
  const { deferred, hold } = session;
  const { profile, instructions = undefined } = deferred ?? { profile: session.profile };
  const wanted = { compactionId: deferred?.compactionId ?? compactionId, trigger, profile, instructions };
  return hold && mayWait(session, trigger)
    ? deferral(session, wanted, hold)
    : requested(session, wanted, plan, count);
};

/**
 * Defers a manual compaction to the end of the turn. A deferred one is joined; if it waits for a release, it now
 * waits for the end of the turn.
 */
export const deferToTurnEnd = (
  { compactionId, instructions, by = SYSTEM }: CommandOf<'RequestCompaction'>['data'],
  session: OpenSession,
  profile: Profile,
): readonly SessionEvent[] => {
  const { deferred } = session;
  const trigger: Trigger = 'requested-mid-turn';
  if (deferred?.trigger === trigger) return [];
  const wanted = { compactionId: deferred?.compactionId ?? compactionId, trigger, profile, instructions };
  return [deferral(session, wanted, { until: 'turn-end', by, reason: 'a turn is going on' })];
};

/** The event that makes a compaction wait. */
const deferral = (
  session: OpenSession,
  { compactionId, trigger, profile, instructions }: WantedCompaction,
  { until, by, reason }: Pick<EventData<'CompactionDeferred'>, 'until' | 'by' | 'reason'>,
): EventOf<'CompactionDeferred'> => ({
  type: 'CompactionDeferred',
  data: {
    compactionId,
    trigger,
    until,
    by,
    reason,
    profile,
    ...(instructions !== undefined && { instructions }),
    occupancy: occupancy(session),
    turn: session.turn,
    ...waitOf(session, compactionId),
  },
});
