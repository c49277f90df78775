import { safeEnd, toWellFormed } from '@app/kernel';

const TERMINAL_CODES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]{0,20}[A-Za-z]`, 'g');
const BLANKS = /[\s\p{Cc}\u2028\u2029]+/gu;

/**
 * `text` as one line of at most `max` UTF-16 units, fit to stand behind a list mark: no control characters, no
 * terminal codes, single spaces, well-formed. Only as much of the text is read as the line can need.
 */
export const oneLine = (text: string, max: number): string => {
  const readable = text.length > 8 * max ? text.slice(0, 8 * max) : text;
  const line = readable.replace(TERMINAL_CODES, '').replace(BLANKS, ' ').trim();
  return toWellFormed(line.length <= max ? line : shortened(line, max));
};

/** Cut between words where that costs little: half a name or half a path would be a wrong one. */
const shortened = (line: string, max: number): string => {
  const end = safeEnd(line, Math.max(0, max - 2));
  const blank = line.lastIndexOf(' ', end);
  return blank > max / 2 ? `${line.slice(0, blank)} …` : `${line.slice(0, end)}…`;
};
