import type { CompletedTurn } from '@app/contract';
import type { CommandOf, SessionState } from '@app/domain';
import { CommandOnSession } from '../command-and-query.js';
import { Handler, HandlesCommand } from '../handlers.js';
import type { CommandFor } from '../sessions/decisions.js';
import { nextCompactionId } from '../sessions/ids.js';
import { requireOpen, type SessionRef } from '../sessions/session-ref.js';

/** Ends the current turn of a session, and checks the budget at once if the profile has turn-end triggers. */
export class CompleteTurn extends CommandOnSession<string, CompletedTurn> {}

@HandlesCommand(CompleteTurn)
export class CompleteTurnHandler extends Handler<CompleteTurn, 'sessions'> {
  /** @throws {AppError} `session-not-found`, `session-closed`. */
  async execute({ ref, input: stopReason, caller }: CompleteTurn): Promise<CompletedTurn> {
    const { state, revision, events } = await this.parts.sessions.executeAll(
      ref,
      completionOf(ref, stopReason),
      caller,
    );
    const requested = events.find((event) => event.type === 'CompactionRequested');
    return {
      ...(revision !== undefined && { revision }),
      turn: requireOpen(ref, state).turn,
      completed: events.some(({ type }) => type === 'TurnCompleted'),
      ...(requested && { compactionId: requested.data.compactionId }),
    };
  }
}

/** Returns the commands, for a decision together with others. */
export const completionOf = ({ session }: SessionRef, stopReason: string): readonly CommandFor[] => [
  { type: 'CompleteTurn', data: { sessionId: session, stopReason } },
  { called: 'CheckBudget', make: checkAfterTurn },
];

const checkAfterTurn = (state: SessionState): CommandOf<'CheckBudget'> | undefined => {
  if (state.status !== 'open' || state.profile.triggerCheck !== 'turn') return undefined;
  const { sessionId } = state.opened;
  return { type: 'CheckBudget', data: { sessionId, compactionId: nextCompactionId(sessionId, state) } };
};
