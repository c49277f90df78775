import type { OpenSession, SessionState } from '@app/domain';
import { AppError } from '@app/kernel';
import type { SessionRef } from './session-ref.js';

/** @throws {AppError} `session-not-found`. */
export const requireOpen = ({ session }: SessionRef, state: SessionState): OpenSession => {
  if (state.status === 'open') return state;
  throw new AppError(
    'session-not-found',
    `there is no session "${session}": \`palimpsest sessions\` lists those there are`,
  );
};
