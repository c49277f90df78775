// Each of o200k's four kinds of repetition makes one "word" of any length, and encoding a word takes time
// quadratic in its length. A line break and a slash count as a class of their own, because the pattern lets them
// trail a run of symbols: without it, `"/\n"` repeated is one word that no other class sees.
const RUN_CLASSES = [/[\p{L}\p{M}]/u, /[\r\n/]/, /\s/, /[^\s\p{L}\p{N}]/u] as const;
const KNOWN = 1 << RUN_CLASSES.length;

/** The classes of each code point as bits, computed on first use; 0 if unknown. */
const classBits = new Uint8Array(0x11_0000);

/**
 * Splits `text` so that no piece contains more than `runMax` consecutive code points of one class. The joined pieces
 * equal the text; a text without such a run is one piece. Surrogate pairs stay whole. One pass.
 */
export const splitLongRuns = (text: string, runMax: number): string[] => {
  if (text !== '' && !mayHoldLongRun(text, runMax)) return [text];
  const pieces: string[] = [];
  const runs = RUN_CLASSES.map(() => 0);
  let start = 0;
  for (let at = 0; at < text.length; ) {
    const point = text.codePointAt(at) ?? 0;
    const bits = classesOf(point);
    if (extend(runs, bits) > runMax) {
      pieces.push(text.slice(start, at));
      start = at;
      runs.fill(0);
      extend(runs, bits);
    }
    at += point > 0xffff ? 2 : 1;
  }
  if (start < text.length) pieces.push(text.slice(start));
  return pieces;
};

/** A run of more than `runMax` code points covers a multiple of `runMax`: only those positions are checked. */
const mayHoldLongRun = (text: string, runMax: number): boolean => {
  for (let at = 0; at < text.length; at += runMax)
    for (let kind = 0; kind < RUN_CLASSES.length; kind += 1)
      if (runAround(text, at, 1 << kind, runMax) > runMax) return true;
  return false;
};

/** Returns the number of units of one class around a position, up to the limit. */
const runAround = (text: string, place: number, bit: number, runMax: number): number => {
  let start = place;
  while (start >= 0 && place - start <= runMax && isOf(text, start, bit)) start -= 1;
  if (start === place) return 0;
  let end = place + 1;
  while (end < text.length && end - start <= runMax + 1 && isOf(text, end, bit)) end += 1;
  return end - start - 1;
};

/** Returns whether a code unit is of the class `bit`; a surrogate counts for every class. */
const isOf = (text: string, at: number, bit: number): boolean => {
  const unit = text.charCodeAt(at);
  return (unit >= 0xd800 && unit <= 0xdfff) || (classesOf(unit) & bit) !== 0;
};

/** Counts one more code point into each run that it continues, ends the others, and returns the longest. */
const extend = (runs: number[], bits: number): number => {
  let longest = 0;
  for (let kind = 0; kind < runs.length; kind += 1) {
    const length = bits & (1 << kind) ? (runs[kind] ?? 0) + 1 : 0;
    runs[kind] = length;
    if (length > longest) longest = length;
  }
  return longest;
};

const classesOf = (point: number): number => {
  const known = classBits[point];
  if (known) return known;
  const character = String.fromCodePoint(point);
  let bits = KNOWN;
  for (const [kind, pattern] of RUN_CLASSES.entries()) if (pattern.test(character)) bits |= 1 << kind;
  classBits[point] = bits;
  return bits;
};
