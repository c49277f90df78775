import { type SessionId, type StreamName, sessionStream, type TenantId } from '@app/kernel';

/** Reference to a session, whose ID is unique within its tenant only. */
export type SessionRef = { readonly tenant: TenantId; readonly session: SessionId };

export const streamOf = ({ tenant, session }: SessionRef): StreamName => sessionStream(tenant, session);
