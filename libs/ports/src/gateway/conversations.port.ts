import type { SessionId, TenantId } from '@app/kernel';

/** Where a history has been heard of: the session that holds it, and how many messages that had by then. */
export type ConversationPlace = { readonly session: SessionId; readonly messages: number };
/** A name of the provider's for something that it has said, with the digest of what that says; empty for nothing. */
type NamedDigest = { readonly name: string; readonly digest: string };

/**
 * What finds a client's session by the history that it sends. A history is known by the digest of its chain, 64
 * hexadecimal digits: the same for the same messages in the same order. It holds digests and ids, and never content.
 * Everything in it is of one tenant, and nobody finds another's.
 *
 * @throws {AppError} `postgres-unavailable`.
 */
export interface Conversations {
  /** Of these histories, the one that comes first and is known. */
  find(
    tenant: TenantId,
    chains: readonly string[],
  ): Promise<(ConversationPlace & { readonly chain: string }) | undefined>;
  /** Remembers histories, in place of what was known of them before. */
  remember(
    tenant: TenantId,
    session: SessionId,
    places: readonly { readonly chain: string; readonly messages: number }[],
  ): Promise<void>;
  /** What things are that a client only names; without those that nobody knows. */
  named(tenant: TenantId, names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  name(tenant: TenantId, names: readonly NamedDigest[]): Promise<void>;
}
