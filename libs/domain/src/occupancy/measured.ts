import type { Entry } from '../session/entry.js';
import type { MeasuredMessage } from '../session/facts.js';
import type { Grow } from '../session/grow.js';
import { firstPlace } from '../turns/first-place.js';

/** A message counts as measured where so many tokens were billed for each that was counted; beyond that it was something else. */
const [SHARE_LEAST, SHARE_MOST] = [0.4, 3] as const;
/** Framing that providers add to a message, whatever it holds. */
const SLACK = 20;

/** What bills have told of the message at a position; `undefined` where none has. */
export const measuredAt = (
  measured: readonly MeasuredMessage[],
  position: number,
): MeasuredMessage | undefined => {
  const found = measured[firstPlace(measured.length, (at) => (measured[at]?.position ?? 0) >= position)];
  return found?.position === position ? found : undefined;
};

/** Whether so many billed tokens can be those of content that was counted so. */
const isPlausibleSize = (billed: number, counted: number): boolean =>
  billed >= counted * SHARE_LEAST - SLACK && billed <= counted * SHARE_MOST + SLACK;

/** How messages are sized: as estimated, by what marks have taken out of them; `grow` makes the list with more of them. */
type Sizing = {
  readonly estimateOf: (entry: Entry) => number;
  readonly freedOf: (entry: Entry) => number;
  readonly grow: Grow;
};

/**
 * The list with the sizes of messages that a bill has told together: each gets its share by its estimate. Unchanged where
 * the bill can be no measure of them.
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

/** Two lists in the order of their positions; where both tell one, the newer tells it. A bill mostly tells of the newest. */
const merged = (
  old: readonly MeasuredMessage[],
  news: readonly MeasuredMessage[],
  grow: Grow,
): readonly MeasuredMessage[] => {
  const [first] = news;
  if (!first) return old;
  const kept = firstPlace(old.length, (at) => (old[at]?.position ?? 0) >= first.position);
  const told = new Set(news.map(({ position }) => position));
  const others = old.slice(kept).filter(({ position }) => !told.has(position));
  return grow(old, others.length === 0 ? news : inOrder([...others, ...news]), kept);
};

const inOrder = (list: readonly MeasuredMessage[]): readonly MeasuredMessage[] =>
  list.toSorted((a, b) => a.position - b.position);
