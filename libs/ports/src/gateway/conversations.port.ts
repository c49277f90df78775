import type { SessionId, TenantId } from '@app/kernel';

/** The session of a history, and the number of its messages at that time. */
export type ConversationPlace = { readonly session: SessionId; readonly messages: number };
/** The provider's id of an item, with the keyed digest of its content; empty without content. */
type NamedDigest = { readonly name: string; readonly digest: string };

/**
 * Finds a client's session by the history that the client sends. A history is identified by the digest of its chain,
 * 64 hexadecimal digits: equal for equal messages in the same order. Stores keyed digests and ids, and no content. All data
 * belongs to one tenant, invisible to others.
 *
 * @throws {AppError} `postgres-unavailable`.
 */
export interface Conversations {
  /** Returns the first known one of these histories. */
  find(
    tenant: TenantId,
    chains: readonly string[],
  ): Promise<(ConversationPlace & { readonly chain: string }) | undefined>;
  /** Stores histories, replacing earlier data about them. */
  remember(
    tenant: TenantId,
    session: SessionId,
    places: readonly { readonly chain: string; readonly messages: number }[],
  ): Promise<void>;
  /** Returns the digests of items by their ids; unknown ids are omitted. */
  named(tenant: TenantId, names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  name(tenant: TenantId, names: readonly NamedDigest[]): Promise<void>;
}
