import { joined } from './bytes.js';
import {
  completeSubtrees,
  HASH_BYTES,
  type Hash,
  type HashAt,
  hashesOf,
  type LeafRange,
  rootOf,
} from './merkle.js';
import { TlogError } from './tlog-error.js';

/** tlog-tiles, “Merkle Tree”: hashes in a full tile, which is a subtree of height 8. */
export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;

/** A tile of hashes, or of entries at `level` `entries`; `width` is 256 for a full one. */
export type TilePlace = {
  readonly level: number | 'entries';
  readonly index: number;
  readonly width: number;
};
export type HashTile = TilePlace & { readonly level: number; readonly hashes: readonly Hash[] };

/** Returns the path below the log's prefix: `tile/0/x001/x234/067`, and `.p/W` for a partial tile. */
export const tilePath = ({ level, index, width }: TilePlace): string => {
  const groups: string[] = [];
  for (let rest = index; groups.length === 0 || rest > 0; rest = Math.floor(rest / 1_000))
    groups.unshift(`${groups.length === 0 ? '' : 'x'}${String(rest % 1_000).padStart(3, '0')}`);
  return `tile/${level}/${groups.join('/')}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
};

const PATH =
  /^tile\/(entries|0|[1-9]|[1-5][0-9]|6[0-3])\/((?:x[0-9]{3}\/)*[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/;

/** Returns the tile of a path; `undefined` for anything that {@link tilePath} does not write. */
export const parseTilePath = (path: string): TilePlace | undefined => {
  const [, level, groups, width] = PATH.exec(path) ?? [];
  if (level === undefined || groups === undefined) return undefined;
  const place = {
    level: level === 'entries' ? level : Number(level),
    index: Number(groups.replaceAll(/[x/]/g, '')),
    width: width === undefined ? TILE_WIDTH : Number(width),
  } satisfies TilePlace;
  return tilePath(place) === path && Number.isSafeInteger(place.index) ? place : undefined;
};

/** The tile of a level that a tree of so many leaves has at this place; `undefined` where it has none. */
const tileAt = (
  level: number,
  index: number,
  size: number,
): (TilePlace & { readonly level: number }) | undefined => {
  const width = Math.min(TILE_WIDTH, Math.floor(size / TILE_WIDTH ** level) - index * TILE_WIDTH);
  return width > 0 ? { level, index, width } : undefined;
};

/** Returns the partial tiles at the right edge of a tree, lowest level first, as {@link grownTiles} continues them. */
export const edgeTiles = (size: number): readonly (TilePlace & { readonly level: number })[] => {
  const tiles: (TilePlace & { readonly level: number })[] = [];
  for (let level = 0; TILE_WIDTH ** level <= size; level += 1) {
    const tile = tileAt(level, Math.floor(size / TILE_WIDTH ** (level + 1)), size);
    if (tile) tiles.push(tile);
  }
  return tiles;
};

/**
 * Returns the tiles that a log serves anew once leaves were added to a tree: full ones, and one partial one at most for each
 * level.
 *
 * @param edge the partial tiles of `edgeTiles(size)`.
 */
export const grownTiles = (
  size: number,
  edge: readonly HashTile[],
  leaves: readonly Hash[],
): readonly HashTile[] => {
  const tiles: HashTile[] = [];
  let news = leaves;
  for (let level = 0; news.length > 0; level += 1) {
    const before = Math.floor(size / TILE_WIDTH ** level);
    let index = Math.floor(before / TILE_WIDTH);
    let hashes = [...(edge.find((tile) => tile.level === level)?.hashes ?? [])];
    if (hashes.length !== before % TILE_WIDTH)
      throw new TlogError('malformed', `the tile at the edge of level ${level} has ${hashes.length} hashes`);
    const above: Hash[] = [];
    for (const hash of news) {
      hashes.push(hash);
      if (hashes.length < TILE_WIDTH) continue;
      tiles.push({ level, index, width: TILE_WIDTH, hashes });
      above.push(rootOf(hashes));
      [index, hashes] = [index + 1, []];
    }
    if (hashes.length > 0) tiles.push({ level, index, width: hashes.length, hashes });
    news = above;
  }
  return tiles;
};

/** Returns the tiles that hold the hashes of ranges, of a tree of `size` leaves. */
export const tilesOfRanges = (
  ranges: readonly LeafRange[],
  size: number,
): readonly (TilePlace & { readonly level: number })[] => {
  const tiles = new Map<string, TilePlace & { readonly level: number }>();
  for (const { level, index } of ranges.flatMap(completeSubtrees)) {
    const { tile } = placeIn(level, index);
    const found = tileAt(tile.level, tile.index, size);
    if (found) tiles.set(tilePath(found), found);
  }
  return [...tiles.values()];
};

/**
 * Reads hashes of subtrees from tiles; each is computed once. Tiles are not authenticated: the caller verifies the proofs made from
 * them.
 */
export const hashesInTiles = (tiles: readonly HashTile[]): HashAt => {
  const known = new Map<string, { readonly width: number; readonly hashAt: HashAt }>();
  const keyOf = (level: number, index: number): string => `${level}/${index}`;
  for (const tile of tiles) {
    const before = known.get(keyOf(tile.level, tile.index));
    if (!before || before.width < tile.width)
      known.set(keyOf(tile.level, tile.index), { width: tile.width, hashAt: hashesOf(tile.hashes) });
  }
  return (level, index) => {
    const { tile, from, count } = placeIn(level, index);
    const found = known.get(keyOf(tile.level, tile.index));
    if (!found || from + count > found.width)
      throw new TlogError(
        'bad-proof',
        `tile ${tile.index} of level ${tile.level} lacks hashes from ${from} on`,
      );
    return found.hashAt(level % TILE_HEIGHT, from / count);
  };
};

/** Where the hashes stand that a subtree is computed of. */
const placeIn = (level: number, index: number) => {
  const count = 2 ** (level % TILE_HEIGHT);
  const first = index * count;
  const tile = { level: Math.floor(level / TILE_HEIGHT), index: Math.floor(first / TILE_WIDTH) };
  return { tile, from: first % TILE_WIDTH, count };
};

/** Returns the bytes of a tile as it is served. */
export const encodeTile = ({ hashes }: Pick<HashTile, 'hashes'>): Uint8Array => joined(...hashes);

/** @throws {TlogError} `malformed` for another number of bytes than the tile's width asks for. */
export const decodeTile = (place: TilePlace & { readonly level: number }, bytes: Uint8Array): HashTile => {
  if (bytes.length !== place.width * HASH_BYTES)
    throw new TlogError('malformed', `${tilePath(place)} has ${bytes.length} bytes`);
  const hashes = Array.from({ length: place.width }, (_, at) =>
    bytes.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
  return { ...place, hashes };
};

const ENTRY_BYTES_MAX = 65_535;

/** Returns an entry bundle: each entry after its length in two bytes (tlog-tiles, “Log entries”). */
export const encodeBundle = (entries: readonly Uint8Array[]): Uint8Array =>
  joined(
    ...entries.flatMap((entry) => {
      if (entry.length > ENTRY_BYTES_MAX)
        throw new TlogError('malformed', `an entry has ${entry.length} of at most ${ENTRY_BYTES_MAX} bytes`);
      return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry];
    }),
  );

/** @throws {TlogError} `malformed` for a bundle that is cut, goes on, or has another number of entries. */
export const decodeBundle = (bytes: Uint8Array, width: number): readonly Uint8Array[] => {
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    const [high, low] = [bytes[at], bytes[at + 1]];
    const end = at + 2 + (high ?? 0) * 256 + (low ?? 0);
    if (low === undefined || end > bytes.length)
      throw new TlogError('malformed', `the bundle is cut in entry ${entries.length}`);
    entries.push(bytes.slice(at + 2, end));
    at = end;
  }
  if (entries.length !== width)
    throw new TlogError('malformed', `the bundle has ${entries.length} of ${width} entries`);
  return entries;
};
