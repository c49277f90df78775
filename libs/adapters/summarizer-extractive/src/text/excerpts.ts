import { type LinePiece, piecesOf, WORDS_MIN } from '@app/domain';

/** Part of a line, with an ellipsis at each end where something is left out, and the keys that stand in it. */
export type Excerpt = { readonly text: string; readonly keys: readonly string[] };

type Range = { readonly start: number; readonly end: number };

const CUT = '…';
/** A shorter line is not worth cutting, nor is one of which less than this would be left out. */
const LINE_MIN = +(process.env.LINEMIN ?? 40);
const SAVED_MIN = +(process.env.SAVED ?? 10);
/** What is left out at an end is more than an ellipsis takes. */
const END_MIN = +(process.env.ENDMIN ?? 8);
/** So many names stand in one excerpt at most, and so many of one line are looked at. */
const RUN_MAX = +(process.env.RUN ?? 4);
const NAMES_MAX = 16;
/** Nothing is cut but between blanks; where those are further away, there is no excerpt. */
const SNAP_MAX = +(process.env.SNAP ?? 24);
/** A longer path of more segments is named by its last ones. */
const PATH_MAX = 40;
const SEGMENTS = 3;

/**
 * Excerpts of `line` with names in it that are wanted: each with one or a few of them, and with words that stand beside
 * them. What stands between the ellipses stands in the line letter by letter.
 */
export const excerptsOf = (line: string, isWanted: (key: string) => boolean): readonly Excerpt[] => {
  if (line.length < LINE_MIN) return [];
  const pieces = [...piecesOf(line)].sort((a, b) => a.start - b.start || b.end - a.end);
  const names = pieces.filter(({ keys }) => [...keys.keys()].some(isWanted)).slice(0, NAMES_MAX);
  const excerpts: Excerpt[] = [];
  for (const first of names.keys())
    for (let last = first; last < Math.min(names.length, first + RUN_MAX); last += 1) {
      const excerpt = excerptOf(line, pieces, names.slice(first, last + 1));
      if (excerpt && excerpt.text.length <= line.length - SAVED_MIN) excerpts.push(excerpt);
    }
  return excerpts;
};

/** From the first of `names` to the last, and as far beyond as words are needed: first to the side where they are nearer. */
const excerptOf = (
  line: string,
  pieces: readonly LinePiece[],
  names: readonly LinePiece[],
): Excerpt | undefined => {
  let window = spanOf(names.map((name, at) => (at === 0 ? coreOf(line, name) : name)));
  for (;;) {
    const within = snapped(line, window);
    if (!within) return undefined;
    const inside = pieces.filter((piece) => isInside(coreOf(line, piece), within));
    if (new Set(inside.flatMap(({ words }) => [...words])).size >= WORDS_MIN)
      return {
        text: printed(line, within),
        keys: [...new Set(inside.flatMap(({ keys }) => [...keys.keys()]))],
      };
    const word = nearestWord(pieces, within);
    if (!word) return undefined;
    window = spanOf([within, word]);
  }
};

const spanOf = (ranges: readonly Range[]): Range => ({
  start: Math.min(...ranges.map(({ start }) => start)),
  end: Math.max(...ranges.map(({ end }) => end)),
});

const isInside = (part: Range, whole: Range): boolean => whole.start <= part.start && part.end <= whole.end;

/** The part of a piece that names it: of a long path the last segments. */
const coreOf = (line: string, { start, end }: Range): Range => {
  const name = line.slice(start, end);
  if (name.length <= PATH_MAX || !name.includes('/') || name.includes('://')) return { start, end };
  let at = name.length;
  for (let segments = 0; segments < SEGMENTS && at > 0; segments += 1) at = name.lastIndexOf('/', at - 1);
  return at > 0 ? { start: start + at, end } : { start, end };
};

/** As far as the blanks around it, or before a part of a path; to the ends of the line where they are near. */
const snapped = (line: string, { start, end }: Range): Range | undefined => {
  const before = line[start] === '/' ? start : line.lastIndexOf(' ', start) + 1;
  const blank = line.indexOf(' ', end);
  const after = blank < 0 ? line.length : blank;
  if (start - before > SNAP_MAX || after - end > SNAP_MAX) return undefined;
  const whole = {
    start: before < END_MIN ? 0 : before,
    end: line.length - after < END_MIN ? line.length : after,
  };
  const unclosed = process.env.TICK === '0' ? undefined : unclosedIn(line, whole);
  return unclosed ? snapped(line, unclosed) : whole;
};

/** With all of the code in back-ticks that `range` cuts through; `undefined` where it cuts through none. */
const unclosedIn = (line: string, { start, end }: Range): Range | undefined => {
  if (ticksIn(line, 0, start) % 2 === 1 && line[start] !== '/') return { start: line.lastIndexOf(TICK, start - 1), end };
  if (ticksIn(line, start, end) % 2 === 0) return undefined;
  const close = line.indexOf(TICK, end);
  return close < 0 ? undefined : { start, end: close + 1 };
};

const TICK = '`';
const ticksIn = (line: string, start: number, end: number): number => {
  let count = 0;
  for (let at = line.indexOf(TICK, start); at >= 0 && at < end; at = line.indexOf(TICK, at + 1)) count += 1;
  return count;
};

const nearestWord = (pieces: readonly LinePiece[], { start, end }: Range): LinePiece | undefined => {
  const worded = pieces.filter(({ words }) => words.size > 0);
  const left = worded.findLast((piece) => piece.start < start);
  const right = worded.find((piece) => piece.end > end);
  if (!left || !right) return left ?? right;
  return start - left.start <= right.end - end ? left : right;
};

const printed = (line: string, { start, end }: Range): string => {
  const before = start === 0 ? '' : line[start] === '/' ? CUT : `${CUT} `;
  return `${before}${line.slice(start, end)}${end < line.length ? ` ${CUT}` : ''}`;
};
