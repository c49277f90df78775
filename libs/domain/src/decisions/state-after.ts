import { Revision, type Tokens } from '@app/kernel';
import { evolve } from '../evolve/evolve.js';
import { occupancy } from '../occupancy/occupancy.js';
import type { SessionEvent } from '../session/events.js';
import type { OpenSession } from '../session/state.js';

/** Returns the session after `event`, for decisions before the event is recorded. */
export const stateAfter = (session: OpenSession, event: SessionEvent): OpenSession => {
  const after = evolve(session, { event, revision: NEXT });
  return after.status === 'open' ? after : session;
};
/** Placeholder for the unknown revision of a future event: no decision on such a state uses it. */
export const NEXT = Revision(Number.MAX_SAFE_INTEGER);

/** Whether `revision` is that of an event in the log, and not of one that is only being decided. */
export const isRecorded = (revision: Revision): boolean => revision < NEXT;

/** The occupancy that there will be once `event` is recorded. */
export const occupancyAfter = (session: OpenSession, event: SessionEvent): Tokens =>
  occupancy(stateAfter(session, event));
