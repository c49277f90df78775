import { splitLongRuns } from './split-long-runs.js';

/** At 256 and at 512, counts of prose, code, diffs and CJK texts equal those of the whole text. */
export const RUN_MAX = 256;
/** In UTF-16 units. Longer texts are estimated: encoding would block for seconds. */
export const ENCODED_MAX = 4 * 1024 * 1024;
/** Prose and code take 3.5 to 4.5 bytes a token, logs and diffs 2.3 to 2.6; three errs to the safe side for most. */
const BYTES_PER_TOKEN = 3;

/** Encodes a text without special tokens and returns how many tokens it became. */
export type Encode = (piece: string) => number;

/** Returns the tokens of `text`, by `encode` up to its maximum length. Linear. */
export const countTokens = (text: string, encode: Encode): number => {
  if (text.length > ENCODED_MAX) return Math.ceil(Buffer.byteLength(text, 'utf8') / BYTES_PER_TOKEN);
  let tokens = 0;
  for (const piece of splitLongRuns(text, RUN_MAX)) tokens += encode(piece);
  return tokens;
};
