/** The last index ≤ `end` that does not part a surrogate pair or a base character from its combining marks. */
export const safeEnd = (text: string, end: number): number => {
  let at = Math.max(0, Math.min(end, text.length));
  if (at === text.length) return at;
  while (at > 0 && (isLowSurrogate(text.charCodeAt(at)) || joins(text, at))) at -= 1;
  return at;
};

/** The first index ≥ `start` that does not part a surrogate pair or combining marks from their base. */
export const safeStart = (text: string, start: number): number => {
  let at = Math.max(0, Math.min(start, text.length));
  if (at === 0) return at;
  while (at < text.length && (isLowSurrogate(text.charCodeAt(at)) || joins(text, at))) at += 1;
  return at;
};

/** `text` cut to at most `max` UTF-16 units, with `…` where something was left out and there is room for it. */
export const truncate = (text: string, max: number): string => {
  if (text.length <= max) return text;
  return max < 1 ? '' : `${text.slice(0, safeEnd(text, max - 1))}…`;
};

/**
 * Returns the first and last parts of `text`, at most `max` UTF-16 units together, with a note of the missing length
 * between them. A text that the note would lengthen is returned unchanged.
 */
export const headAndTail = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const head = safeEnd(text, Math.ceil(max * 0.7));
  const tail = safeStart(text, text.length - Math.floor(max * 0.3));
  const short = `${text.slice(0, head)}\n[… ${tail - head} characters left out …]\n${text.slice(tail)}`;
  return short.length < text.length ? short : text;
};

/** Returns whether every surrogate in `text` is part of a pair, as UTF-8 requires. */
export const isWellFormed = (text: string): boolean => text.isWellFormed();
/** `text` with the Unicode replacement character for each lone surrogate. */
export const toWellFormed = (text: string): string => text.toWellFormed();

const COMBINING = /^(?:\p{M}|\u200d|[\ufe00-\ufe0f])/u;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
/** Whether the character at `at` belongs to the one before it: a mark, or the right side of a joiner. */
const joins = (text: string, at: number): boolean =>
  COMBINING.test(text.slice(at, at + 2)) || text.charCodeAt(at - 1) === 0x200d;

/** Returns a text without percent-encoding; unchanged if it is not encoded properly. */
export const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
