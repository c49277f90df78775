/** Seals secrets for their storage locations, and opens them. */
export interface SecretBox {
  /** Prefix of newly sealed secrets; `undefined` without a sealing key. */
  readonly prefix: string | undefined;
  /**
   * @param place the storage location, such as `webhook/acme/wh_…`: a secret moved elsewhere cannot be opened.
   * @throws {AppError} `secrets-key-missing`.
   */
  seal(secret: string, place: string): string;
  /** @throws {AppError} `secret-unreadable`, with the id of the required key. */
  open(sealed: string, place: string): string;
}
