import type { SessionEvent } from '../session/events.js';
import { isInTurn, type OpenSession } from '../session/state.js';
import type { Decide } from './commands.js';
import { abandonmentOf } from './compactions/give-up-calls.js';
import { requestDeferred } from './deferrals/request-deferred.js';
import { stagesAfterTurn, stateAfterEvents } from './run-stages.js';

/**
 * Ends the current turn. Abandons open calls of earlier turns: their results are overdue by a whole turn, and an open
 * call blocks every compaction. Prunes old tool outputs if the policy enables it, and requests a compaction that was
 * deferred to the end of the turn.
 */
export const completeTurn: Decide<'CompleteTurn'> = ({ data }, session) => {
  if (!isInTurn(session)) return []; // None has begun, or it has ended before.
  const completed: SessionEvent = {
    type: 'TurnCompleted',
    data: { turn: session.turn, stopReason: data.stopReason },
  };
  const abandoned = abandonmentOf(session, 'unanswered-after-turn', (caller) => caller.turn < session.turn);
  const ended = abandoned ? [completed, abandoned] : [completed];
  const pruned = stagesAfterTurn(stateAfterEvents(session, ended));
  const done = [...ended, ...pruned];
  return [...done, ...waitingIn(session, done)];
};

const waitingIn = (session: OpenSession, done: readonly SessionEvent[]): readonly SessionEvent[] => {
  const { deferred, hold } = session;
  const isDue = deferred?.trigger === 'requested-mid-turn' || hold?.until === 'turn-end';
  return isDue ? requestDeferred(stateAfterEvents(session, done)) : [];
};
