import type { IsoTime, TenantId } from '@app/kernel';

/** A request that its caller has given a key. */
export type KeyedRequest = {
  readonly tenant: TenantId;
  readonly key: string;
  /** SHA-256 of what the request asks for, 32 bytes. */
  readonly digest: Uint8Array;
};
export type KeptAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As it was sent; `null` where it must not be kept. */
  readonly body: string | null;
};
/** What is known of a request when it comes. */
export type Claim =
  /**
   * It is the caller's to carry out, and nobody else's until the lease ends. `begunAfter` where somebody has begun with it
   * and not come to an end: since then, at the earliest.
   */
  | { readonly kind: 'claimed'; readonly holder: string; readonly begunAfter?: IsoTime }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  /** Somebody carries it out; his lease ends in so many seconds where he does not renew it. */
  | { readonly kind: 'in-progress'; readonly seconds: number }
  /** The key stands for another request. */
  | { readonly kind: 'reused' };

/**
 * Keys by which a request is carried out once, however often it is sent. A key is remembered for a day after its first use.
 * Leases are measured by one clock, the store's. Privacy: answers that hold text come sealed, and
 * say nothing to whoever reads the store.
 *
 * @throws {AppError} `postgres-unavailable`.
 */
export interface IdempotencyKeys {
  /** Takes the request where nobody has, or where he who had it let his lease end. */
  claim(request: KeyedRequest, leaseMs: number): Promise<Claim>;
  /** Goes on holding it; without effect for one who holds it no more. */
  renew(request: KeyedRequest, holder: string, leaseMs: number): Promise<void>;
  /** Keeps the answer; without effect for one who holds the request no more. */
  answer(request: KeyedRequest, holder: string, answer: KeptAnswer): Promise<void>;
  /** Nothing came of it: as if it had never been sent. */
  forget(request: KeyedRequest, holder: string): Promise<void>;
  /** Nobody knows what came of it: whoever sends it again carries on at once. */
  abandon(request: KeyedRequest, holder: string): Promise<void>;
}
