import { AppError, type SessionId } from '@app/kernel';
import type { OpenSession, SessionState } from '../state.js';

/** @throws {AppError} `session-not-found`. */
export const requireOpen = (sessionId: SessionId, state: SessionState): OpenSession => {
  if (state.status === 'open') return state;
  throw new AppError(
    'session-not-found',
    `there is no session "${sessionId}": \`palimpsest sessions\` lists those there are`,
  );
};
