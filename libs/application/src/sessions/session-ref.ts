import { type OpenSession, type SessionState, sessionNotFound } from '@app/domain';
import { type SessionId, type StreamName, sessionStream, type TenantId } from '@app/kernel';

/** Reference to a session, whose ID is unique within its tenant only. */
export type SessionRef = { readonly tenant: TenantId; readonly session: SessionId };

export const streamOf = ({ tenant, session }: SessionRef): StreamName => sessionStream(tenant, session);

/** @throws {AppError} `session-not-found`. */
export const requireOpen = ({ session }: SessionRef, state: SessionState): OpenSession => {
  if (state.status === 'open') return state;
  throw sessionNotFound(session);
};
