/** Where a blob is found again, and what it is. */
export type BlobReference = {
  /** SHA-256 of the content, hexadecimal. */
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
  readonly mediaType: string;
};

/**
 * Content too large for the log, by its digest. `put` is durable before it resolves, and repeating it changes
 * nothing.
 *
 * @throws {AppError} `corrupt-event` where `get` finds nothing, or something else than the digest says.
 */
export interface BlobStore {
  put(content: Uint8Array, mediaType: string): Promise<BlobReference>;
  get(digest: string): Promise<Uint8Array>;
}
