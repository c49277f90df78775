import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { utf8 } from '../bytes.js';
import {
  consistencyProof,
  consistencyRanges,
  hashesOf,
  inclusionProof,
  inclusionRanges,
  leafHash,
  rangeRoot,
} from '../merkle.js';
import {
  decodeBundle,
  decodeTile,
  edgeTiles,
  encodeBundle,
  encodeTile,
  grownTiles,
  type HashTile,
  hashesInTiles,
  parseTilePath,
  TILE_WIDTH,
  tilePath,
  tilesOfRanges,
} from '../tiles.js';

const SIZE = 70_000;
const leaves = Array.from({ length: SIZE }, (_, at) => leafHash(utf8(String(at))));
const hashAt = hashesOf(leaves);

/** Entries that a log serves after it has grown by these sizes, one after the other. */
const served = (...steps: readonly number[]): Map<string, HashTile> => {
  const tiles = new Map<string, HashTile>();
  let size = 0;
  for (const step of steps) {
    const edge = edgeTiles(size).flatMap((place) => tiles.get(tilePath(place)) ?? []);
    for (const tile of grownTiles(size, edge, leaves.slice(size, size + step)))
      tiles.set(tilePath(tile), tile);
    size += step;
  }
  return tiles;
};

describe('the tiles of a log', () => {
  it('match the count of the specification for 70,000 leaves', () => {
    const widths = [...served(SIZE).values()].map(({ level, width }) => `${level}: ${width}`);
    const counts = new Map<string, number>();
    for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
    expect([...counts].sort()).toEqual([
      ['0: 112', 1],
      ['0: 256', 273],
      ['1: 17', 1],
      ['1: 256', 1],
      ['2: 1', 1],
    ]);
  });

  it('are the same at the end, however the log has grown', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 8 }), (steps) => {
        const size = steps.reduce((sum, step) => sum + step, 0);
        const [atOnce, bySteps] = [served(size), served(...steps)];
        for (const [path, tile] of atOnce) expect(bySteps.get(path)).toEqual(tile);
      }),
      { numRuns: 30 },
    ));

  it('prove inclusion and consistency, each from a few of them', () => {
    const tiles = served(SIZE);
    for (const [ranges, proof] of [
      [inclusionRanges(65_536, SIZE), inclusionProof(65_536, SIZE, hashAt)],
      [consistencyRanges(300, SIZE), consistencyProof(300, SIZE, hashAt)],
    ] as const) {
      const needed = tilesOfRanges(ranges, SIZE);
      expect(needed.length).toBeLessThan(9);
      const read = hashesInTiles(needed.flatMap((place) => tiles.get(tilePath(place)) ?? []));
      expect(ranges.map((range) => rangeRoot(range, read))).toEqual(proof);
    }
  });

  it('are read back from their bytes, and refused with a byte too few', () => {
    for (const tile of served(600).values()) {
      expect(decodeTile(tile, encodeTile(tile))).toEqual(tile);
      expect(() => decodeTile(tile, encodeTile(tile).slice(1))).toThrow(/^tile\/.* has \d+ bytes$/);
    }
  });
});

it('reads each path back that it writes, and no other', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.constant('entries' as const), fc.integer({ min: 0, max: 63 })),
      fc.nat(),
      fc.integer({ min: 1, max: TILE_WIDTH }),
      (level, index, width) => {
        expect(parseTilePath(tilePath({ level, index, width }))).toEqual({ level, index, width });
      },
    ),
  );
  for (const path of [
    'tile/64/000',
    'tile/00/000',
    'tile/0/00',
    'tile/0/x000/001',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    '/tile/0/000',
    'tile/8/0/000',
    'tile/0/001/002',
  ])
    expect(parseTilePath(path)).toBeUndefined();
});

it('bundles entries of up to 65,535 bytes, and notices a bundle that is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 20 }),
      fc.nat(),
      (entries, seed) => {
        const bytes = encodeBundle(entries);
        expect(decodeBundle(bytes, entries.length)).toEqual(entries);
        const cut = bytes.slice(0, seed % bytes.length);
        expect(() => decodeBundle(cut, entries.length)).toThrow(/^the bundle /);
      },
    ),
  );
  expect(() => encodeBundle([new Uint8Array(65_536)])).toThrow('an entry has 65536 of at most 65535 bytes');
});
