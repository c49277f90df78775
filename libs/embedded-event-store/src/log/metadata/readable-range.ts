import type { StreamMetadata } from './stream-metadata.js';

/** The first revision of a stream that may be read, its age left aside. `last`: the revision of its last event. */
export const firstReadable = ({ maxCount, truncateBefore = 0 }: StreamMetadata, last: number): number =>
  Math.max(truncateBefore, maxCount === undefined ? 0 : last - maxCount + 1);

/** Events that were made before this instant are too old to be read. Milliseconds since 1970. */
export const oldestReadable = ({ maxAge }: StreamMetadata, now: number): number =>
  maxAge === undefined ? Number.NEGATIVE_INFINITY : now - maxAge * 1_000;

/**
 * The first revision from `low` to `high` that is young enough; `high + 1` where none is. Events are dated by one
 * clock in the order of their revisions, so that it can be searched for by halves.
 */
export const firstYoungEnough = (
  low: number,
  high: number,
  isYoung: (revision: number) => boolean,
): number => {
  let [from, to] = [low, high + 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (isYoung(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
};
