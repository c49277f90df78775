/** Tokens of a text: here, its UTF-8 bytes by a fixed ratio. Linear and exact, so that tests can reckon with it. */
export type TokenCount = (text: string) => number;

/** What one token takes where a server is told nothing else. */
export const BYTES_PER_TOKEN = 4;

export const tokensBy =
  (bytesPerToken: number): TokenCount =>
  (text) =>
    Math.ceil(Buffer.byteLength(text) / bytesPerToken);
