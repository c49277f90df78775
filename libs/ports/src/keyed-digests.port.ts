import type { TenantId } from '@app/kernel';

/** Equal texts have different digests for different purposes. */
export type DigestPurpose = 'message' | 'history' | 'request' | 'import' | 'loss';
/** Returns the digest of a text, 64 hexadecimal digits. It holds a key: use it for one request, and keep it no longer. */
export type Digester = (text: string) => string;

/**
 * Digests of content that outlive it, in IDs and rows: equal for equal texts in every process. Only the tenant's key leads to
 * them, so that a digest does not confirm a guess of content that was erased.
 *
 * @throws {AppError} `postgres-unavailable` if the key store does not answer and the key is not in memory;
 *   `secret-unreadable` if the key was wrapped with a key that this process does not have.
 */
export interface KeyedDigests {
  digester(tenant: TenantId, purpose: DigestPurpose): Promise<Digester>;
  /** Runs a keyed request, which derives digests and stores them: an erasure waits for it before it removes stored digests. */
  recording<Result>(work: () => Promise<Result>): Promise<Result>;
}
