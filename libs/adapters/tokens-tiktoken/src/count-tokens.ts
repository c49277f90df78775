import { estimateFromBytes } from './estimate-from-bytes.js';
import { splitLongRuns } from './split-long-runs.js';

/** At 256 and at 512, counts of prose, code, diffs and CJK texts equal those of the whole text. */
export const RUN_MAX = 256;
/** In UTF-16 units. Longer texts are estimated: encoding would block for seconds. */
export const ENCODED_MAX = 4 * 1024 * 1024;

/** Encodes a text without special tokens and returns how many tokens it became; it may throw. */
export type Encode = (piece: string) => number;

/** Returns the tokens of `text`, by `encode` where possible. Linear; never throws. */
export const countTokens = (text: string, encode: Encode): number => {
  if (text.length > ENCODED_MAX) return estimateFromBytes(text);
  let tokens = 0;
  for (const piece of splitLongRuns(text, RUN_MAX)) tokens += countPiece(piece, encode);
  return tokens;
};

const countPiece = (piece: string, encode: Encode): number => {
  try {
    return encode(piece);
  } catch {
    // A trap of the WebAssembly code. The instance stays usable, so only this piece is estimated.
    return estimateFromBytes(piece);
  }
};
