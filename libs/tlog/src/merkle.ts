import { isEqual, joined } from './bytes.js';
import { sha256 } from './native.js';

/** SHA-256, 32 bytes. */
export type Hash = Uint8Array;
export const HASH_BYTES = 32;

/** The hash of a complete subtree: of the leaves from `index × 2^level` on, `2^level` of them. */
export type HashAt = (level: number, index: number) => Hash;
export type HashPlace = { readonly level: number; readonly index: number };
/** Leaves from `from` to before `to`. */
export type LeafRange = { readonly from: number; readonly to: number };

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** RFC 6962, section 2.1: SHA-256 of 0x00 and the entry. */
export const leafHash = (entry: Uint8Array): Hash => sha256(joined(LEAF, entry));

/** RFC 6962, section 2.1: SHA-256 of 0x01 and both children. */
export const nodeHash = (left: Hash, right: Hash): Hash => sha256(joined(NODE, left, right));

/** RFC 6962, section 2.1: the root of a tree without leaves is SHA-256 of nothing. */
export const EMPTY_ROOT: Hash = sha256(new Uint8Array());

/** Where the tree over so many leaves, at least two, is split: the largest power of two below. */
const splitOf = (leaves: number): number => {
  let power = 1;
  while (power * 2 < leaves) power *= 2;
  return power;
};

/**
 * Returns the complete subtrees that a range consists of, the largest first. The range begins where a subtree at least as
 * large begins: all ranges of proofs do.
 */
export const completeSubtrees = ({ from, to }: LeafRange): readonly HashPlace[] => {
  const places: HashPlace[] = [];
  let start = from;
  while (start < to) {
    let level = 0;
    while (2 ** (level + 1) <= to - start) level += 1;
    places.push({ level, index: start / 2 ** level });
    start += 2 ** level;
  }
  return places;
};

/** Returns the Merkle tree hash of a range (RFC 6962, section 2.1). */
export const rangeRoot = (range: LeafRange, hashAt: HashAt): Hash => {
  const hashes = completeSubtrees(range).map(({ level, index }) => hashAt(level, index));
  return hashes.length === 0 ? EMPTY_ROOT : hashes.reduceRight((right, left) => nodeHash(left, right));
};

/** Returns the root over leaf hashes. */
export const rootOf = (leaves: readonly Hash[]): Hash =>
  rangeRoot({ from: 0, to: leaves.length }, hashesOf(leaves));

/** Reads hashes of subtrees from all leaf hashes; each is computed once. */
export const hashesOf = (leaves: readonly Hash[]): HashAt => {
  const levels: Hash[][] = [];
  const hashAt: HashAt = (level, index) => {
    if (level === 0) return leaves[index] ?? EMPTY_ROOT;
    levels[level] ??= [];
    const known = levels[level];
    known[index] ??= nodeHash(hashAt(level - 1, index * 2), hashAt(level - 1, index * 2 + 1));
    return known[index];
  };
  return hashAt;
};

/** Returns the ranges whose roots are the inclusion proof of a leaf, from the leaf's sibling up (RFC 6962, section 2.1.1). */
export const inclusionRanges = (index: number, size: number): readonly LeafRange[] => {
  const ranges: LeafRange[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    if (index < middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  return ranges.reverse();
};

/** Returns the ranges whose roots are the consistency proof of two sizes (RFC 6962, section 2.1.2). */
export const consistencyRanges = (oldSize: number, size: number): readonly LeafRange[] => {
  if (oldSize === 0 || oldSize === size) return [];
  const ranges: LeafRange[] = [];
  let [from, to] = [0, size];
  while (to !== oldSize) {
    const middle = from + splitOf(to - from);
    if (oldSize <= middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  // The verifier has the root of the old tree itself.
  if (from > 0) ranges.push({ from, to });
  return ranges.reverse();
};

const provedBy =
  (ranges: readonly LeafRange[]) =>
  (hashAt: HashAt): readonly Hash[] =>
    ranges.map((range) => rangeRoot(range, hashAt));

/** @param index of the leaf, below `size`. */
export const inclusionProof = (index: number, size: number, hashAt: HashAt): readonly Hash[] =>
  provedBy(inclusionRanges(index, size))(hashAt);

/** @param oldSize at most `size`. */
export const consistencyProof = (oldSize: number, size: number, hashAt: HashAt): readonly Hash[] =>
  provedBy(consistencyRanges(oldSize, size))(hashAt);

/** Returns whether a proof leads from a leaf to the root (RFC 9162, section 2.1.3.2). */
export const isIncluded = (
  {
    leaf,
    index,
    size,
    root,
  }: { readonly leaf: Hash; readonly index: number; readonly size: number; readonly root: Hash },
  proof: readonly Hash[],
): boolean => {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return false;
  let [at, last, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sibling, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && isEqual(hash, root);
};

export type TreeHead = { readonly size: number; readonly root: Hash };

/** Returns whether a proof shows that the newer tree begins with all of the older one (RFC 9162, section 2.1.4.2). */
export const isConsistent = (older: TreeHead, newer: TreeHead, proof: readonly Hash[]): boolean => {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && isEqual(older.root, newer.root);
  // Every tree begins with the empty one.
  if (older.size === 0) return proof.length === 0 && isEqual(older.root, EMPTY_ROOT);
  const isPower = splitOf(older.size * 2) === older.size;
  const [start, ...others] = isPower ? [older.root, ...proof] : proof;
  if (!start || proof.length === 0) return false;
  let [at, last] = [older.size - 1, newer.size - 1];
  while (at % 2 === 1) [at, last] = [half(at), half(last)];
  let [oldHash, newHash] = [start, start];
  for (const hash of others) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      [oldHash, newHash] = [nodeHash(hash, oldHash), nodeHash(hash, newHash)];
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      newHash = nodeHash(newHash, hash);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && isEqual(oldHash, older.root) && isEqual(newHash, newer.root);
};

/** Halves a number that may have more than 32 bits. */
const half = (value: number): number => Math.floor(value / 2);
