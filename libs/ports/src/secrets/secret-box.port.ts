/** Seals secrets for the places where they are kept, and opens them again. */
export interface SecretBox {
  /** How everything begins that is sealed now; `undefined` where there is no key to seal with. */
  readonly prefix: string | undefined;
  /**
   * @param place where it is kept, such as `webhook/acme/wh_…`: what was moved elsewhere is not opened there.
   * @throws {AppError} `secrets-key-missing`.
   */
  seal(secret: string, place: string): string;
  /** @throws {AppError} `secret-unreadable`, with the id of the key that is asked for. */
  open(sealed: string, place: string): string;
}
