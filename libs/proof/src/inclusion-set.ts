import { type Hash, type HashAt, type LeafRange, nodeHash, rangeRoot } from '@app/tlog';

/** Where a tree over a range of two or more leaves is split (RFC 6962, section 2.1). */
const middleOf = ({ from, to }: LeafRange): number => {
  let power = 1;
  while (power * 2 < to - from) power *= 2;
  return from + power;
};

/** Returns whether one of the ascending indices is in the range, as the number of those before it. */
const firstIn = (indices: readonly number[], { from, to }: LeafRange): boolean => {
  let [low, high] = [0, indices.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((indices[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  const found = indices[low];
  return found !== undefined && found < to;
};

/**
 * Returns the ranges whose roots prove that all these leaves are in a tree, from left to right: the largest ones without any
 * of them. Many leaves share them.
 *
 * @param indices ascending.
 */
export const siblingRanges = (indices: readonly number[], size: number): readonly LeafRange[] => {
  const ranges: LeafRange[] = [];
  const visit = (range: LeafRange): void => {
    if (!firstIn(indices, range)) ranges.push(range);
    else if (range.to - range.from > 1) {
      const middle = middleOf(range);
      visit({ from: range.from, to: middle });
      visit({ from: middle, to: range.to });
    }
  };
  if (size > 0) visit({ from: 0, to: size });
  return ranges;
};

/** Returns the roots of {@link siblingRanges}. */
export const siblingHashes = (indices: readonly number[], size: number, hashAt: HashAt): readonly Hash[] =>
  siblingRanges(indices, size).map((range) => rangeRoot(range, hashAt));

/** Returns the root that leaves and their siblings lead to; `undefined` for too few or too many siblings. */
export const rootOfSet = (
  leaves: ReadonlyMap<number, Hash>,
  size: number,
  siblings: readonly Hash[],
): Hash | undefined => {
  const indices = [...leaves.keys()].sort((a, b) => a - b);
  let taken = 0;
  const visit = (range: LeafRange): Hash | undefined => {
    if (!firstIn(indices, range)) {
      taken += 1;
      return siblings[taken - 1];
    }
    if (range.to - range.from === 1) return leaves.get(range.from);
    const middle = middleOf(range);
    const left = visit({ from: range.from, to: middle });
    const right = left && visit({ from: middle, to: range.to });
    return left && right && nodeHash(left, right);
  };
  if (indices.length === 0 || (indices.at(-1) ?? 0) >= size) return undefined;
  const root = visit({ from: 0, to: size });
  return taken === siblings.length ? root : undefined;
};
