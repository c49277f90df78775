import type { StreamMetadata } from './stream-metadata.js';

/** Returns the first readable revision, without regard to age. `last`: the revision of the last event. */
export const firstReadable = ({ maxCount, truncateBefore = 0 }: StreamMetadata, last: number): number =>
  Math.max(truncateBefore, maxCount === undefined ? 0 : last - maxCount + 1);

/** Returns the creation time of the oldest readable event. Milliseconds since 1970. */
export const oldestReadable = ({ maxAge }: StreamMetadata, now: number): number =>
  maxAge === undefined ? Number.NEGATIVE_INFINITY : now - maxAge * 1_000;

/**
 * Returns the first revision from `low` to `high` that is young enough; `high + 1` if none is. A binary search, since
 * creation times ascend with revisions.
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
