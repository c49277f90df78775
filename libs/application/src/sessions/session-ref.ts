import type { OpenSession, SessionState } from '@app/domain';
import { AppError, type SessionId, type StreamName, sessionStream, type TenantId } from '@app/kernel';

/** Reference to a session, whose ID is unique within its tenant only. */
export type SessionRef = { readonly tenant: TenantId; readonly session: SessionId };

export const streamOf = ({ tenant, session }: SessionRef): StreamName => sessionStream(tenant, session);

/** @throws {AppError} `session-not-found`. */
export const requireOpen = ({ session }: SessionRef, state: SessionState): OpenSession => {
  if (state.status === 'open') return state;
  throw new AppError(
    'session-not-found',
    `there is no session "${session}": \`palimpsest sessions\` lists those there are`,
  );
};
