/**
 * Tokens of a text: here, its UTF-8 bytes by a fixed ratio. Linear and exact, so that tests can reckon with it. An image is
 * billed by its pixels, however many bytes it has: each counts as one of full size.
 */
export type TokenCount = (text: string) => number;

/** What one token takes where a server is told nothing else. */
export const BYTES_PER_TOKEN = 4;
const IMAGE_TOKENS = 1_600;
const IMAGE = /(?<="media_type":"image\/\w+","data":"|data:image\/\w+;base64,)[A-Za-z0-9+/]{2000,}=*/g;

export const tokensBy =
  (bytesPerToken: number): TokenCount =>
  (text) => {
    const words = text.includes('image/')
      ? text.replace(IMAGE, 'I'.repeat(IMAGE_TOKENS * bytesPerToken))
      : text;
    return Math.ceil(Buffer.byteLength(words) / bytesPerToken);
  };
