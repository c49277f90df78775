import type { CompleteTurnCommand } from '../commands.js';
import type { SessionEvent } from '../events.js';
import type { OpenSession } from '../state.js';
import { abandonmentOf } from './compacting/give-up-calls.js';
import { stagesAfterTurn, stateAfterAll } from './run-stages.js';

/**
 * Ends the current turn. Calls of earlier turns that nobody has answered by then are abandoned: their results
 * had a whole turn to come, and a call that stays open would block every compaction. Old tool outputs are pruned where
 * the policy says so.
 */
export const completeTurn = (
  { data }: CompleteTurnCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  if (session.turn <= session.turnCompleted) return []; // None has begun, or it has ended before.
  const completed: SessionEvent = {
    type: 'TurnCompleted',
    data: { turn: session.turn, stopReason: data.stopReason },
  };
  const abandoned = abandonmentOf(session, 'unanswered-after-turn', (caller) => caller.turn < session.turn);
  const ended = abandoned ? [completed, abandoned] : [completed];
  return [...ended, ...stagesAfterTurn(stateAfterAll(session, ended))];
};
