/**
 * Counts the tokens of a text: here its UTF-8 bytes by a fixed ratio. Linear and exact, so that tests can calculate
 * with it. An image is billed by its pixels, independent of its bytes: each counts as full size.
 */
export type TokenCount = (text: string) => number;

/** The default bytes per token of a server. */
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
