import { type SessionId, type StreamName, sessionStream, type TenantId } from '@app/kernel';

/** Which session: ids are unique within a tenant only. */
export type SessionRef = { readonly tenant: TenantId; readonly session: SessionId };

export const streamOf = ({ tenant, session }: SessionRef): StreamName => sessionStream(tenant, session);
