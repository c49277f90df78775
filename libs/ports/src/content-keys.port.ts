import type { Erased } from '@app/domain';
import type { StreamName, SubjectRef } from '@app/kernel';

/** A key for content: 32 bytes. The id is random and public. */
export type ContentKey = { readonly id: string; readonly bytes: Uint8Array };
/** A key that was destroyed, and why. */
export type ErasedKey = { readonly id: string; readonly erased: Erased };

/**
 * The keys that content of session streams is encrypted with: one per session, and one per session and data subject.
 *
 * @throws {AppError} `postgres-unavailable` if the store does not answer and the key is not in memory;
 *   `secret-unreadable` if it was wrapped with a key that this process does not have.
 */
export interface ContentKeys {
  /**
   * Returns the keys for new content of a session's stream, durable before they are returned: that of the session, and
   * those of the subjects in their order.
   *
   * @throws {AppError} `erasure-in-progress` while keys of that content are being destroyed.
   */
  toSeal(stream: StreamName, subjects: readonly SubjectRef[]): Promise<readonly ContentKey[]>;
  /** Returns a key by its id; `undefined` if the store never had it. */
  toOpen(id: string): Promise<ContentKey | ErasedKey | undefined>;
}
