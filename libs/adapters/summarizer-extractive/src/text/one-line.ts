import { safeEnd, toWellFormed } from '@app/kernel';

const [ESCAPE, BELL] = [27, 7].map((code) => String.fromCharCode(code));
/** Colours and movements, and whole addresses and titles that a terminal does not show. */
const TERMINAL_CODES = new RegExp(
  `${ESCAPE}\\][^${ESCAPE}${BELL}\\n]{0,2000}(?:${BELL}|${ESCAPE}\\\\)|(?:${ESCAPE}\\[|\u009b)[0-9;?]{0,20}[A-Za-z]`,
  'g',
);
/** Invisible characters, including marks of text direction. */
const INVISIBLE = /[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g;
const BLANKS = /[\s\p{Cc}\u2028\u2029]+/gu;

/**
 * Returns `text` as one line of at most `max` UTF-16 units for a list item: no control characters, terminal codes or
 * invisible characters, single spaces, well-formed. Reads only the needed part of the text.
 */
export const oneLine = (text: string, max: number): string => {
  const readable = text.length > 8 * max ? text.slice(0, 8 * max) : text;
  const line = readable.replace(TERMINAL_CODES, '').replace(INVISIBLE, '').replace(BLANKS, ' ').trim();
  return toWellFormed(line.length <= max ? line : shortened(line, max));
};

/** Cuts between words if possible: a split name or path would be wrong. */
const shortened = (line: string, max: number): string => {
  const end = safeEnd(line, Math.max(0, max - 2));
  const blank = line.lastIndexOf(' ', end);
  return blank > max / 2 ? `${line.slice(0, blank)} …` : `${line.slice(0, end)}…`;
};
