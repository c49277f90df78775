import { invariant, Slices } from '@app/kernel';
import { type Hash, type HashTile, hashesInTiles, type LeafRange, rangeRoot, tilesOfRanges } from '@app/tlog';

/** Reads tiles of hashes, each with the width that is asked for. */
export type ReadTiles = (places: ReturnType<typeof tilesOfRanges>) => Promise<readonly HashTile[]>;

/** Ranges whose tiles are read at once: neighbours share tiles. An answer with more of them, 8 KiB each, is parsed in one piece. */
const RANGES_AT_ONCE = 64;

/**
 * Returns proofs of one tree as the roots of their ranges. Proofs share ranges and tiles: each root is computed once, and a tile
 * is read once for all ranges that lie beside each other. The event loop serves others meanwhile.
 *
 * @param size leaves of the tree.
 */
export const proofsInTiles = async (
  proofs: readonly (readonly LeafRange[])[],
  size: number,
  read: ReadTiles,
): Promise<readonly (readonly Hash[])[]> => {
  const slices = new Slices();
  const distinct = new Map<string, LeafRange>();
  for (const ranges of proofs) {
    for (const range of ranges) distinct.set(keyOf(range), range);
    if (slices.isOver) await slices.next();
  }
  const sorted = [...distinct.values()].sort((one, other) => one.from - other.from || one.to - other.to);
  const roots = new Map<string, Hash>();
  for (let from = 0; from < sorted.length; from += RANGES_AT_ONCE) {
    const ranges = sorted.slice(from, from + RANGES_AT_ONCE);
    const hashAt = hashesInTiles(await read(tilesOfRanges(ranges, size)));
    for (const range of ranges) {
      roots.set(keyOf(range), rangeRoot(range, hashAt));
      if (slices.isOver) await slices.next();
    }
  }
  const hashes: (readonly Hash[])[] = [];
  for (const ranges of proofs) {
    hashes.push(ranges.map((range) => rootIn(roots, range)));
    if (slices.isOver) await slices.next();
  }
  return hashes;
};

const keyOf = ({ from, to }: LeafRange): string => `${from}-${to}`;

const rootIn = (roots: ReadonlyMap<string, Hash>, range: LeafRange): Hash => {
  const root = roots.get(keyOf(range));
  invariant(root, `the root of the leaves ${keyOf(range)} was computed`);
  return root;
};
