/** Reference of an event to content that is too large for it. */
export type BlobReference = {
  /** SHA-256 of the content, in lower-case hex. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
  readonly mediaType: string;
};

/**
 * Stores contents permanently under the digest of their bytes.
 * Storing the same bytes again changes nothing, with any media type: the reference belongs to the caller. Content
 * survives a crash once `put` has resolved. Bytes are checked against their digest before they are returned, so that
 * a damaged content is an error.
 * Errors: `append-too-large` above the store's limit, which its adapter states; `corrupt-event` for an unknown digest
 * or changed bytes; `disk-full`; `postgres-unavailable` and similar if a retry can help. Privacy: errors and logs
 * contain no content.
 */
export interface BlobStore {
  put(content: Uint8Array, mediaType: string): Promise<BlobReference>;
  get(digest: string): Promise<Uint8Array>;
}
