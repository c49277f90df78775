/** Prose and code take 3.5 to 4.5 bytes a token, logs and diffs 2.3 to 2.6; three errs to the safe side for most. */
const BYTES_PER_TOKEN = 3;

/** Tokens of a text that is not encoded, from its length in UTF-8. */
export const estimateFromBytes = (text: string): number =>
  Math.ceil(Buffer.byteLength(text, 'utf8') / BYTES_PER_TOKEN);
