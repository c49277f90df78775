import { AppError, type SessionId } from '@app/kernel';
import type { SessionCommand } from '../commands.js';
import type { SessionEvent } from '../events.js';
import type { OpenSession, SessionState } from '../state.js';
import { appendMessages } from './append-messages.js';
import { checkBudget } from './check-budget.js';
import { completeCompaction } from './complete-compaction.js';
import { completeTurn } from './complete-turn.js';
import { failAttempt } from './fail-attempt.js';
import { openSession } from './open-session.js';
import { requestCompaction } from './request-compaction.js';
import { startCompaction } from './start-compaction.js';

/**
 * The events that `command` causes in `state`: none where it has been carried out before.
 *
 * @throws {AppError} `session-not-found`, `session-already-open`, `message-conflict`, `invalid-settings`.
 */
export const decide = (command: SessionCommand, state: SessionState): readonly SessionEvent[] => {
  if (command.type === 'OpenSession') return openSession(command, state);
  const session = requireOpen(command.data.sessionId, state);
  switch (command.type) {
    case 'AppendMessages':
      return appendMessages(command, session);
    case 'CompleteTurn':
      return completeTurn(command, session);
    case 'CheckBudget':
      return checkBudget(command, session);
    case 'RequestCompaction':
      return requestCompaction(command, session);
    case 'StartCompaction':
      return startCompaction(command, session);
    case 'CompleteCompaction':
      return completeCompaction(command, session);
    case 'FailAttempt':
      return failAttempt(command, session);
  }
};

const requireOpen = (sessionId: SessionId, state: SessionState): OpenSession => {
  if (state.status === 'open') return state;
  throw new AppError(
    'session-not-found',
    `there is no session "${sessionId}": \`palimpsest sessions\` lists those there are`,
  );
};
