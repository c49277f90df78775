import { AppError } from '@app/kernel';
import { estimatedTokens } from '../../../budget/occupancy.js';
import { startsTurn } from '../../../message/index.js';
import type { ResetSessionCommand } from '../../commands.js';
import type { SessionEvent } from '../../events.js';
import { openingState } from '../../folding/opening.js';
import type { OpenSession } from '../../state.js';
import { cancelled } from '../compacting/cancelled.js';
import { closed } from '../compacting/circuit.js';

/**
 * Clears the context down to the user's current input. The log keeps everything, and the reset can be reverted.
 *
 * @throws {AppError} `confirmation-required` where the caller has not said that he means it.
 */
export const resetSession = (
  { data: { compactionId, reason, confirm, now } }: ResetSessionCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  if (session.pivot?.compactionId === compactionId) return []; // The same command again.
  const input = session.entries.findLast((entry) => startsTurn(entry.message));
  const cleared = session.entries.filter((entry) => entry !== input);
  if (cleared.length === 0 && session.pivot?.summary == null) return [];
  if (!confirm) {
    throw new AppError(
      'confirmation-required',
      `a reset takes ${cleared.length} messages out of the context of "${session.opened.sessionId}": confirm it`,
    );
  }
  const tokensBefore = estimatedTokens(session);
  const opening = openingState(session, [], input, [], session.compactions);
  const bare = {
    ...session,
    entries: input ? [input] : [],
    entriesTokens: input?.tokens ?? 0,
    pivot: undefined,
  };
  return [
    ...cancelled(session, 'reset', 'the history was cleared'),
    {
      type: 'SessionReset',
      data: {
        compactionId,
        reason,
        turn: session.turn,
        clearedMessages: cleared.length,
        ...(now && { at: now }),
        tokensBefore,
        tokensAfter: estimatedTokens(bare),
        opening,
      },
    },
    ...closed(session, 'new-context'),
  ];
};
