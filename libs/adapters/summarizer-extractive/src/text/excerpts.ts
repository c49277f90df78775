import { type LinePiece, piecesOf, WORDS_MIN } from '@app/domain';

/** A part of a line, with an ellipsis at each shortened end, and its keys. */
type Excerpt = { readonly text: string; readonly keys: readonly string[] };
/** Range of a line; `end` is exclusive. */
type Range = { readonly start: number; readonly end: number };

const CUT = '…';
/** A shorter line is not worth cutting, nor is one of which less than this would be left out. */
const LINE_MIN = 40;
const SAVED_MIN = 10;
/** Minimum length of an omitted end: an ellipsis must be shorter. */
const END_MIN = 8;
/** Maximum names per excerpt, and maximum names per line. */
const RUN_MAX = 2;
const NAMES_MAX = 16;
/** Cuts are made at blanks only; if the next blank is further away, there is no excerpt. */
const WORD_REST_MAX = 24;
/** A longer path is named by its last segments. */
const PATH_MAX = 40;
const SEGMENTS = 3;

/**
 * Returns excerpts of `line` with wanted names, each with one or a few names and surrounding words. The text between
 * ellipses is verbatim. Bounded by the length of the line and {@link NAMES_MAX}.
 */
export const excerptsOf = (line: string, isWanted: (key: string) => boolean): readonly Excerpt[] => {
  if (line.length < LINE_MIN) return [];
  const parts = partsOf(line);
  const names: number[] = [];
  for (const [at, { keys }] of parts.entries())
    if (names.length < NAMES_MAX && keys.some(isWanted)) names.push(at);
  const excerpts: Excerpt[] = [];
  for (const [place, first] of names.entries())
    for (const last of names.slice(place, place + RUN_MAX)) {
      const excerpt = excerptWith(first, last, parts, line);
      if (excerpt && excerpt.text.length <= line.length - SAVED_MIN) excerpts.push(excerpt);
    }
  return excerpts;
};

/** A name or a word; `core` is the start of its mandatory part. */
type Part = LinePiece & { readonly core: number; readonly isPhrase: boolean };

const partsOf = (line: string): readonly Part[] => {
  const pieces = piecesOf(line);
  const parts = pieces.map(({ start, end, keys, words }): Part => {
    const isPhrase = keys[0]?.startsWith('"') === true;
    return { start, end, keys, words, core: coreOf(line, start, end), isPhrase };
  });
  return parts.at(-1)?.isPhrase ? parts.sort((a, b) => a.start - b.start || b.end - a.end) : parts;
};

/** Returns the range from part `first` to part `last`, extended by words, first on the nearer side. */
const excerptWith = (
  first: number,
  last: number,
  parts: readonly Part[],
  line: string,
): Excerpt | undefined => {
  const named = parts.slice(first, last + 1);
  const phrases = named.filter(({ isPhrase }) => isPhrase);
  /** Words of a phrase name it; words beside it describe it. */
  const isBeside = (part: Part): boolean =>
    part.words.length > 0 && (phrases.length === 0 || !phrases.some((phrase) => isInside(part, phrase)));
  let wanted: Range = { start: named[0]?.core ?? 0, end: Math.max(...named.map(({ end }) => end)) };
  for (;;) {
    const range = whole(line, wanted);
    if (!range) return undefined;
    const keys = new Set<string>();
    const words = new Set<string>();
    let [left, right] = [first, last];
    while (left > 0 && (parts[left - 1]?.core ?? 0) >= range.start) left -= 1;
    while ((parts[right + 1]?.start ?? line.length) < range.end) right += 1;
    for (const part of parts.slice(left, right + 1)) {
      if (part.end > range.end) continue;
      for (const key of part.keys) keys.add(key);
      if (isBeside(part)) for (const word of part.words) words.add(word);
    }
    if (words.size >= WORDS_MIN) return { text: printed(line, range), keys: [...keys] };
    const word = nearer(
      parts.slice(0, left).findLast(isBeside),
      parts.slice(right + 1).find(isBeside),
      range,
    );
    if (!word) return undefined;
    wanted = { start: Math.min(range.start, word.start), end: Math.max(range.end, word.end) };
  }
};

const isInside = (part: Range, range: Range): boolean => range.start <= part.start && part.end <= range.end;

/** Returns the word nearer to `range`, else the one before it. */
const nearer = (before: Part | undefined, after: Part | undefined, range: Range): Part | undefined => {
  if (!before || !after) return before ?? after;
  return range.start - before.start <= after.end - range.end ? before : after;
};

/** Returns the start of a name's mandatory part: for a long path its last segments with the slash before them. */
const coreOf = (line: string, start: number, end: number): number => {
  if (end - start <= PATH_MAX) return start;
  const name = line.slice(start, end);
  if (!name.includes('/') || name.includes('://')) return start;
  let at = name.length;
  for (let segments = 0; segments < SEGMENTS && at > 0; segments += 1) at = name.lastIndexOf('/', at - 1);
  return at > 0 ? start + at : start;
};

/** Extends `range` over the words, quotes and short clauses that it splits. */
const whole = (line: string, { start, end }: Range): Range | undefined => {
  const isPath = line[start] === '/';
  const before = isPath ? start : line.lastIndexOf(' ', start) + 1;
  const blank = line.indexOf(' ', end);
  const after = blank < 0 ? line.length : blank;
  if (start - before > WORD_REST_MAX || after - end > WORD_REST_MAX) return undefined;
  const words = { start: before, end: after };
  const quotes = withWholeQuotes(line, words);
  if (quotes) return whole(line, quotes);
  const clause = clauseAround(line, words);
  const range = isPath ? { start, end: clause.end } : clause;
  const { start: from, end: to } = withWholeQuotes(line, range) ? words : range;
  return { start: from < END_MIN ? 0 : from, end: line.length - to < END_MIN ? line.length : to };
};

/** Text between two of these marks is never split: code and quotes. */
const MARKS = ['`', '"'] as const;
/** Extends `range` over code or a quote that it splits; `undefined` if it splits none. */
const withWholeQuotes = (line: string, { start, end }: Range): Range | undefined => {
  for (const mark of MARKS) {
    if (!line.includes(mark)) continue;
    if (countOf(mark, line, 0, start) % 2 === 1 && line[start] !== '/')
      return { start: line.lastIndexOf(mark, start - 1), end };
    if (countOf(mark, line, start, end) % 2 === 0) continue;
    const close = line.indexOf(mark, end);
    if (close >= 0) return { start, end: close + 1 };
  }
  return undefined;
};

const countOf = (mark: string, line: string, start: number, end: number): number => {
  let count = 0;
  for (let at = line.indexOf(mark, start); at >= 0 && at < end; at = line.indexOf(mark, at + 1)) count += 1;
  return count;
};

const printed = (line: string, { start, end }: Range): string => {
  const before = line[start] === '/' ? CUT : `${CUT} `;
  return `${start > 0 ? before : ''}${line.slice(start, end)}${end < line.length ? ` ${CUT}` : ''}`;
};

/** A clause that ends so near is not cut. */
const REST_MAX = 12;
const ENDS_CLAUSE = /[.,;:!?—]/;

/** Moves `start` and `end`, which are at blanks, outward to the ends of a clause of `line`, if near. */
const clauseAround = (
  line: string,
  { start, end }: { readonly start: number; readonly end: number },
): { readonly start: number; readonly end: number } => {
  let from = start;
  while (from > 0 && start - from <= REST_MAX && !beginsClause(line, from)) from -= 1;
  let to = end;
  while (to < line.length && to - end <= REST_MAX && !endsClause(line, to)) to += 1;
  return {
    start: from === 0 || beginsClause(line, from) ? from : start,
    end: to === line.length || endsClause(line, to) ? to : end,
  };
};

const beginsClause = (line: string, at: number): boolean =>
  line[at - 1] === ' ' && ENDS_CLAUSE.test(line[at - 2] ?? '');
const endsClause = (line: string, at: number): boolean =>
  line[at] === ' ' && ENDS_CLAUSE.test(line[at - 1] ?? '');
