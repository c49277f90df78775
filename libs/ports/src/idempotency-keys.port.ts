import type { IsoTime, TenantId } from '@app/kernel';

/** A request that its caller has given a key. */
export type KeyedRequest = {
  readonly tenant: TenantId;
  readonly key: string;
  /** 32 bytes: {@link ROUTE_BYTES} of a digest of method and path, then of a keyed digest of the whole request. */
  readonly digest: Uint8Array;
};
export const ROUTE_BYTES = 8;
export type KeptAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as sent; `null` if it must not be stored. */
  readonly body: string | null;
};
/** The state of a key when a request arrives. */
export type Claim =
  /**
   * The caller holds the key until the lease ends. `begunAfter` is set if an earlier holder began and did not finish:
   * the earliest time it may have begun.
   */
  | { readonly kind: 'claimed'; readonly holder: string; readonly begunAfter?: IsoTime }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  /** Another holder is executing the request; its lease ends in this many seconds unless renewed. */
  | { readonly kind: 'in-progress'; readonly seconds: number }
  /** The key belongs to a different request. */
  | { readonly kind: 'reused' }
  /** The tenant is being erased: until that is done, requests under the key cannot be told apart. */
  | { readonly kind: 'erasing' };

/**
 * Idempotency keys. A key is stored for one day after its first use. Leases are measured by the store's clock.
 * Privacy: answers with content are stored sealed.
 *
 * @throws {AppError} `postgres-unavailable`.
 */
export interface IdempotencyKeys {
  /** Claims a free key, or one with an expired lease. */
  claim(request: KeyedRequest, leaseMs: number): Promise<Claim>;
  /** Renews the lease; no effect for a former holder. */
  renew(request: KeyedRequest, holder: string, leaseMs: number): Promise<void>;
  /** Keeps the answer; without effect for one who holds the request no more. */
  answer(request: KeyedRequest, holder: string, answer: KeptAnswer): Promise<void>;
  /** Deletes the claim of a request without effect, as if it had never been sent. */
  forget(request: KeyedRequest, holder: string): Promise<void>;
  /** Releases a key with an unknown outcome: a retry is executed at once. */
  abandon(request: KeyedRequest, holder: string): Promise<void>;
}
