import { type LinePiece, piecesOf, WORDS_MIN } from '@app/domain';
import { clauseAround } from './clauses.js';

/** Part of a line, with an ellipsis at each end where something is left out, and the keys that stand in it. */
export type Excerpt = { readonly text: string; readonly keys: readonly string[] };
/** Of a line, from `start` to before `end`. */
export type Range = { readonly start: number; readonly end: number };

const CUT = '…';
/** A shorter line is not worth cutting, nor is one of which less than this would be left out. */
const LINE_MIN = 40;
const SAVED_MIN = 10;
/** What is left out at an end is more than an ellipsis takes. */
const END_MIN = 8;
/** So many names stand in one excerpt at most, and so many of one line are looked at. */
const RUN_MAX = 4;
const NAMES_MAX = 16;
/** Nothing is cut but between blanks; where those are further away, there is no excerpt. */
const WORD_REST_MAX = 24;
/** A longer path is named by its last segments. */
const PATH_MAX = 40;
const SEGMENTS = 3;

/**
 * Excerpts of `line` with names in it that are wanted: each with one or a few of them, and with words beside them. What
 * stands between the ellipses stands in the line letter by letter. Bounded by the length of the line and {@link NAMES_MAX}.
 */
export const excerptsOf = (line: string, isWanted: (key: string) => boolean): readonly Excerpt[] => {
  if (line.length < LINE_MIN) return [];
  const pieces = [...piecesOf(line)].sort((a, b) => a.start - b.start || b.end - a.end);
  const names = pieces.filter(({ keys }) => [...keys.keys()].some(isWanted)).slice(0, NAMES_MAX);
  const excerpts: Excerpt[] = [];
  for (const first of names.keys())
    for (let last = first; last < Math.min(names.length, first + RUN_MAX); last += 1) {
      const excerpt = excerptWith(names.slice(first, last + 1), pieces, line);
      if (excerpt && excerpt.text.length <= line.length - SAVED_MIN) excerpts.push(excerpt);
    }
  return excerpts;
};

/** From the first of `names` to the last, and as far beyond as words are needed: first to the side where they are nearer. */
const excerptWith = (
  names: readonly LinePiece[],
  pieces: readonly LinePiece[],
  line: string,
): Excerpt | undefined => {
  const phrases = names.filter(isPhrase);
  const saysOfThem = ({ words, ...piece }: LinePiece): boolean =>
    words.size > 0 && !phrases.some((phrase) => isInside(piece, phrase));
  let wanted = spanOf(names.map((name, at) => (at === 0 ? coreOf(line, name) : name)));
  for (;;) {
    const range = whole(line, wanted);
    if (!range) return undefined;
    const inside = pieces.filter((piece) => isInside(coreOf(line, piece), range));
    if (new Set(inside.filter(saysOfThem).flatMap(({ words }) => [...words])).size >= WORDS_MIN)
      return {
        text: printed(line, range),
        keys: [...new Set(inside.flatMap(({ keys }) => [...keys.keys()]))],
      };
    const word = nearest(pieces.filter(saysOfThem), range);
    if (!word) return undefined;
    wanted = spanOf([range, word]);
  }
};

const isPhrase = ({ keys }: LinePiece): boolean => [...keys.keys()].some((key) => key.startsWith('"'));

const spanOf = (ranges: readonly Range[]): Range => ({
  start: Math.min(...ranges.map(({ start }) => start)),
  end: Math.max(...ranges.map(({ end }) => end)),
});

const isInside = (part: Range, range: Range): boolean => range.start <= part.start && part.end <= range.end;

/** The part of a piece that names it: of a long path the last segments, with the slash before them. */
const coreOf = (line: string, { start, end }: Range): Range => {
  const name = line.slice(start, end);
  if (name.length <= PATH_MAX || !name.includes('/') || name.includes('://')) return { start, end };
  let at = name.length;
  for (let segments = 0; segments < SEGMENTS && at > 0; segments += 1) at = name.lastIndexOf('/', at - 1);
  return at > 0 ? { start: start + at, end } : { start, end };
};

/** With all of the words, the code and, where that is short, the clauses that `range` would cut through. */
const whole = (line: string, { start, end }: Range): Range | undefined => {
  const isPath = line[start] === '/';
  const before = isPath ? start : line.lastIndexOf(' ', start) + 1;
  const blank = line.indexOf(' ', end);
  const after = blank < 0 ? line.length : blank;
  if (start - before > WORD_REST_MAX || after - end > WORD_REST_MAX) return undefined;
  const words = { start: before, end: after };
  const code = withClosedCode(line, words);
  if (code) return whole(line, code);
  const clause = clauseAround(line, words);
  const range = isPath ? { start, end: clause.end } : clause;
  const { start: from, end: to } = withClosedCode(line, range) ? words : range;
  return { start: from < END_MIN ? 0 : from, end: line.length - to < END_MIN ? line.length : to };
};

const TICK = '`';
/** `range` with all of the code in back-ticks that it cuts through; `undefined` where it cuts through none. */
const withClosedCode = (line: string, { start, end }: Range): Range | undefined => {
  if (ticksIn(line, 0, start) % 2 === 1 && line[start] !== '/')
    return { start: line.lastIndexOf(TICK, start - 1), end };
  if (ticksIn(line, start, end) % 2 === 0) return undefined;
  const close = line.indexOf(TICK, end);
  return close < 0 ? undefined : { start, end: close + 1 };
};

const ticksIn = (line: string, start: number, end: number): number => {
  let count = 0;
  for (let at = line.indexOf(TICK, start); at >= 0 && at < end; at = line.indexOf(TICK, at + 1)) count += 1;
  return count;
};

/** The piece outside of `range` that is nearest to it; of two the one before. */
const nearest = (pieces: readonly LinePiece[], range: Range): LinePiece | undefined => {
  const left = pieces.findLast(({ start }) => start < range.start);
  const right = pieces.find(({ end }) => end > range.end);
  if (!left || !right) return left ?? right;
  return range.start - left.start <= right.end - range.end ? left : right;
};

const printed = (line: string, { start, end }: Range): string => {
  const before = line[start] === '/' ? CUT : `${CUT} `;
  return `${start > 0 ? before : ''}${line.slice(start, end)}${end < line.length ? ` ${CUT}` : ''}`;
};
