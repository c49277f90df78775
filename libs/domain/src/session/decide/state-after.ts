import { Revision } from '@app/kernel';
import type { SessionEvent } from '../events.js';
import { evolve } from '../folding/evolve.js';
import type { OpenSession } from '../state.js';

/** The session as it will be once `event` is recorded: what a decision looks at before it records the event. */
export const stateAfter = (session: OpenSession, event: SessionEvent): OpenSession => {
  const after = evolve(session, { event, revision: NEXT });
  return after.status === 'open' ? after : session;
};
/** Nothing that is asked of such a state depends on the revision that the event will have. */
const NEXT = Revision(Number.MAX_SAFE_INTEGER);
