import type { Entry } from '../session/entry.js';
import type { MeasuredMessage } from '../session/facts.js';
import type { ListGrowth } from '../session/grow.js';
import { firstPlace } from '../turns/turns-of.js';

/** A message counts as measured if the ratio of its billed to its counted tokens is within this range. */
const [SHARE_LEAST, SHARE_MOST] = [0.4, 3] as const;
/** Framing tokens that providers add to any message. */
const SLACK = 20;

/** Returns the billed size of the message at a position; `undefined` without one. */
export const measuredAt = (
  measured: readonly MeasuredMessage[],
  position: number,
): MeasuredMessage | undefined => {
  const found = measured[firstPlace(measured.length, (at) => (measured[at]?.position ?? 0) >= position)];
  return found?.position === position ? found : undefined;
};

/** Returns whether a billed size is plausible for a counted one. */
const isPlausibleSize = (billed: number, counted: number): boolean =>
  billed >= counted * SHARE_LEAST - SLACK && billed <= counted * SHARE_MOST + SLACK;

/** Sizes of messages: their estimates without content removed by marks. `grow` extends the list. */
type Sizing = {
  readonly estimateOf: (entry: Entry) => number;
  readonly freedOf: (entry: Entry) => number;
  readonly grow: ListGrowth;
};

/**
 * Returns the list with the sizes of messages billed together: each gets its share by its estimate. Unchanged for an
 * implausible bill.
 */
export const withSizes = (
  measured: readonly MeasuredMessage[],
  entries: readonly Entry[],
  billed: number,
  { estimateOf, freedOf, grow }: Sizing,
): readonly MeasuredMessage[] => {
  const counted = entries.reduce((sum, entry) => sum + entry.tokens - freedOf(entry), 0);
  if (counted === 0 || !isPlausibleSize(billed, counted)) return measured;
  const estimates = entries.map(estimateOf);
  const estimated = estimates.reduce((sum, one) => sum + one, 0);
  let [given, reached] = [0, 0];
  const news = entries.map((entry, at): MeasuredMessage => {
    reached += estimates[at] ?? 0;
    const upTo = Math.round((billed * reached) / Math.max(1, estimated));
    const share = upTo - given;
    given = upTo;
    const freed = freedOf(entry);
    return { position: entry.position, billed: Math.max(0, share), ...(freed > 0 && { freed }) };
  });
  return merged(measured, news, grow);
};

/** Returns two lists merged by position; newer sizes win. A bill mostly measures the newest messages. */
const merged = (
  old: readonly MeasuredMessage[],
  news: readonly MeasuredMessage[],
  grow: ListGrowth,
): readonly MeasuredMessage[] => {
  const [first] = news;
  if (!first) return old;
  const kept = firstPlace(old.length, (at) => (old[at]?.position ?? 0) >= first.position);
  const newPositions = new Set(news.map(({ position }) => position));
  const others = old.slice(kept).filter(({ position }) => !newPositions.has(position));
  return grow(old, others.length === 0 ? news : inOrder([...others, ...news]), kept);
};

const inOrder = (list: readonly MeasuredMessage[]): readonly MeasuredMessage[] =>
  list.toSorted((a, b) => a.position - b.position);
