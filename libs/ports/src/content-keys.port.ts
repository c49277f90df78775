import type { StreamName } from '@app/kernel';

/** A key for content: 32 bytes for AES-256-GCM. The id is random and public. */
export type ContentKey = { readonly id: string; readonly bytes: Uint8Array };

/**
 * The keys that content of session streams is encrypted with, one per session.
 *
 * @throws {AppError} `postgres-unavailable` if the store does not answer and the key is not in memory;
 *   `secret-unreadable` if it was wrapped with a key that this process does not have.
 */
export interface ContentKeys {
  /** Returns the key for new content of a session's stream; durable before it is returned. */
  toSeal(stream: StreamName): Promise<ContentKey>;
  /** Returns a key by its id; `undefined` if the store does not have it. */
  toOpen(id: string): Promise<ContentKey | undefined>;
}
