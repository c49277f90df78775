import { AppError, Tokens } from '@app/kernel';
import { openingState } from '../../evolve/opening.js';
import { startsTurn } from '../../message/index.js';
import { estimatedTokens, occupancy } from '../../occupancy/occupancy.js';
import type { EventOf } from '../../session/events.js';
import type { Decide } from '../commands.js';
import { cancelled } from '../compactions/cancel-compaction.js';
import { closed } from '../compactions/circuit.js';
import { stateAfter } from '../state-after.js';

/**
 * Clears the context down to the user's current input. The log is unchanged, and the reset can be reverted.
 *
 * @throws {AppError} `confirmation-required` if the command is not confirmed.
 */
export const resetSession: Decide<'ResetSession'> = (
  { data: { compactionId, reason, confirm, now } },
  session,
) => {
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
  const reset: EventOf<'SessionReset'> = {
    type: 'SessionReset',
    data: {
      compactionId,
      reason,
      turn: session.turn,
      clearedMessages: cleared.length,
      ...(now && { at: now }),
      countedBefore: estimatedTokens(session),
      countedAfter: Tokens(0),
      billedBefore: occupancy(session),
      billedAfter: Tokens(0),
      opening: openingState(session, [], input, [], session.compactions),
    },
  };
  const bare = stateAfter(session, reset);
  const after = { countedAfter: estimatedTokens(bare), billedAfter: occupancy(bare) };
  return [
    ...cancelled(session, 'reset', 'the history was cleared'),
    { ...reset, data: { ...reset.data, ...after } },
    ...closed(session, 'new-context'),
  ];
};
