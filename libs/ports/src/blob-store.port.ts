/** How an event refers to a content that is too large for it. */
export type BlobReference = {
  /** SHA-256 of the content, in lower-case hex. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
  readonly mediaType: string;
};

/**
 * Keeps contents under the digest of their bytes, for ever.
 *
 * Putting the same bytes again changes nothing, whatever media type they are given: what the reference says
 * is the caller's own. What `put` has resolved survives a crash. A digest is checked against the bytes before
 * they are returned, so that a content is either what was put or an error.
 *
 * Errors: `append-too-large` for more than the store's limit, which its adapter states; `corrupt-event` for a
 * digest that the store does not know, or whose bytes have changed; `disk-full`, and `postgres-unavailable`
 * or its like where trying again later can help.
 * Privacy: neither contents nor parts of them appear in errors and logs.
 */
export interface BlobStore {
  put(content: Uint8Array, mediaType: string): Promise<BlobReference>;
  get(digest: string): Promise<Uint8Array>;
}
