import {
  consistencyProof,
  consistencyRanges,
  grownTiles,
  hashesOf,
  leafHash,
  tilePath,
  tilesOfRanges,
} from '@app/tlog';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { siblingHashes, siblingRanges } from '../inclusion-set.js';
import { proofsInTiles, type ReadTiles } from '../proofs-in-tiles.js';

const SIZE = 70_000;
const leaves = Array.from({ length: SIZE }, (_, at) => leafHash(Buffer.from(String(at))));
const hashAt = hashesOf(leaves);

/** The tiles of a log, and the paths of those that were read. */
const tilesOf = (size: number) => {
  const tiles = new Map(grownTiles(0, [], leaves.slice(0, size)).map((tile) => [tilePath(tile), tile]));
  const reads: string[][] = [];
  const read: ReadTiles = async (places) => {
    reads.push(places.map(tilePath));
    return places.flatMap((place) => tiles.get(tilePath(place)) ?? []);
  };
  return { reads, read };
};

describe('proofs that are read together', () => {
  it('equal those that are computed one by one from all leaves', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3_000 }),
        fc.array(fc.nat(), { maxLength: 40 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 20 }),
        async (size, given, places) => {
          const oldSizes = given.map((value) => value % (size + 1));
          const indices = places.map((value) => value % size).sort((a, b) => a - b);
          const ranges = oldSizes.map((oldSize) => consistencyRanges(oldSize, size));
          const [siblings, ...proofs] = await proofsInTiles(
            [siblingRanges(indices, size), ...ranges],
            size,
            tilesOf(size).read,
          );
          expect(siblings).toEqual(siblingHashes(indices, size, hashAt));
          expect(proofs).toEqual(oldSizes.map((oldSize) => consistencyProof(oldSize, size, hashAt)));
        },
      ),
      { numRuns: 50 },
    ));

  it('of a thousand heads share their reads, and a tile is read less than twice', async () => {
    const ranges = Array.from({ length: 1_000 }, (_, at) => consistencyRanges((at + 1) * 67, SIZE));
    const { reads, read } = tilesOf(SIZE);
    const proofs = await proofsInTiles(ranges, SIZE, read);
    expect(proofs).toHaveLength(1_000);
    expect(reads.length).toBeLessThan(200);
    expect(reads.flat().length).toBeLessThan(2 * tilesOfRanges(ranges.flat(), SIZE).length);
  });
});
