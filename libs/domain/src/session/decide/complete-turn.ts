import { layOut, openCalls } from '../../compaction/prepare/cuts.js';
import type { CompleteTurnCommand } from '../commands.js';
import type { SessionEvent } from '../events.js';
import type { OpenSession } from '../state.js';

/**
 * Ends the current turn. Calls of earlier turns that nobody has answered by then are abandoned: their results
 * had a whole turn to come, and a call that stays open would block every compaction.
 */
export const completeTurn = (
  { data }: CompleteTurnCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  if (session.turn <= session.turnCompleted) return []; // None has begun, or it has ended before.
  const { pairing } = layOut(session);
  const calls = openCalls(session, pairing).flatMap(({ id: callId, call }) => {
    const caller = session.entries[call.message];
    return caller && caller.turn < session.turn ? [{ messageId: caller.message.id, callId }] : [];
  });
  const completed: SessionEvent = {
    type: 'TurnCompleted',
    data: { turn: session.turn, stopReason: data.stopReason },
  };
  if (calls.length === 0) return [completed];
  return [completed, { type: 'ToolCallAbandoned', data: { calls, reason: 'unanswered-after-turn' } }];
};
