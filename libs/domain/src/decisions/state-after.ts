import { Revision } from '@app/kernel';
import { evolve } from '../evolve/evolve.js';
import type { SessionEvent } from '../session/events.js';
import type { OpenSession } from '../session/state.js';

/** The session as it will be once `event` is recorded: what a decision looks at before it records the event. */
export const stateAfter = (session: OpenSession, event: SessionEvent): OpenSession => {
  const after = evolve(session, { event, revision: NEXT });
  return after.status === 'open' ? after : session;
};
/** Nobody knows yet which revision the event will have: nothing that is asked of such a state depends on it. */
export const NEXT = Revision(Number.MAX_SAFE_INTEGER);

/** Whether `revision` is that of an event in the log, and not of one that is only being decided. */
export const isRecorded = (revision: Revision): boolean => revision < NEXT;
