import { safeEnd, safeStart } from '@app/kernel';
import { oneLine } from './one-line.js';

/** UTF-16 units read of a line: the rest of a longer one is data (minified, encoded), not text to quote. */
const LINE_READ_MAX = 3_000;
/** Line numbers that a tool puts before the lines of a file, and the marks of lists and headings. */
const GUTTER = /^\s{0,10}\d{1,7}(?:→|\t|\||: )/;
const MARK = /^(?:(?:[-*+]|#{1,6}) )+/;
/** A run of this length is encoded data. */
const ENCODED = /[A-Za-z0-9+/=]{120}/;
const ENCODED_MIN = 120;
const HOLDS_A_WORD = /\p{L}{2}/u;
/** Not after a list number or an abbreviation. */
const SENTENCE_END =
  /(?<=[.!?])(?<!^\s{0,8}\d{1,3}\.)(?<!(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|z\.B|d\.h|bzw)\.)\s+|(?<=[。！？])/u;

/** The first and last parts of `text`, at most `max` units together, in their order. */
export const bounded = (text: string, max: number): readonly string[] => {
  if (text.length <= max) return [text];
  const tail = Math.floor(max / 4);
  return [text.slice(0, safeEnd(text, max - tail)), text.slice(safeStart(text, text.length - tail))];
};

/**
 * The lines of `text` that hold a word, each without its marks and at most `lineMax` long. Longer ones are parted
 * between sentences.
 */
export function* cleanLines(text: string, lineMax: number): Generator<string> {
  for (const raw of rawLines(text)) {
    const line = oneLine(raw.replace(GUTTER, ''), LINE_READ_MAX).replace(MARK, '');
    if (!HOLDS_A_WORD.test(line) || line.startsWith('```')) continue;
    if (line.length >= ENCODED_MIN && ENCODED.test(line)) continue;
    if (line.length <= lineMax) yield line;
    else for (const sentence of joined(line.split(SENTENCE_END), lineMax)) yield oneLine(sentence, lineMax);
  }
}

/** Line by line without an array of all of them: a tool result can have a million. */
export function* rawLines(text: string): Generator<string> {
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    yield text.slice(start, Math.min(end, start + 8 * LINE_READ_MAX));
    start = end + 1;
  }
}

export const sentencesOf = (line: string): readonly string[] => line.split(SENTENCE_END);

/** Neighbouring sentences put together again as long as they stay within `max`. */
function* joined(sentences: readonly string[], max: number): Generator<string> {
  let line = '';
  for (const sentence of sentences) {
    if (line !== '' && line.length + sentence.length >= max) {
      yield line;
      line = '';
    }
    line = line === '' ? sentence : `${line} ${sentence}`;
  }
  if (line !== '') yield line;
}
