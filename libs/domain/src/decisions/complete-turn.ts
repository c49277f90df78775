import type { SessionEvent } from '../session/events.js';
import { isInTurn, type OpenSession } from '../session/state.js';
import type { CompleteTurnCommand } from './commands.js';
import { abandonmentOf } from './compactions/give-up-calls.js';
import { requestDeferred } from './deferrals/request-deferred.js';
import { stagesAfterTurn, stateAfterEvents } from './run-stages.js';

/**
 * Ends the current turn. Calls of earlier turns that nobody has answered by then are abandoned: their results
 * had a whole turn to come, and a call that stays open would block every compaction. Old tool outputs are pruned where
 * the policy says so, and a compaction that has waited for the end of the turn is asked for.
 */
export const completeTurn = (
  { data }: CompleteTurnCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
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
