import type { Revision, Tokens } from '@app/kernel';
import { occupancy } from '../../budget/occupancy.js';
import type { SessionEvent } from '../events.js';
import { evolve } from '../folding/evolve.js';
import type { OpenSession } from '../state.js';

/** The occupancy that there will be once `event` is recorded. */
export const occupancyAfter = (session: OpenSession, event: SessionEvent): Tokens => {
  const after = evolve(session, { event, revision: NEXT });
  return occupancy(after.status === 'open' ? after : session);
};
/** Nothing that is asked of the state depends on the revision that the event will have. */
const NEXT = Number.MAX_SAFE_INTEGER as Revision;
