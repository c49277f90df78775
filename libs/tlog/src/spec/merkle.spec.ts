import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { utf8 } from '../bytes.js';
import {
  consistencyProof,
  EMPTY_ROOT,
  hashesOf,
  inclusionProof,
  isConsistent,
  isIncluded,
  leafHash,
  rootOf,
} from '../merkle.js';

const SIZE_MAX = 300;
const leaves = Array.from({ length: SIZE_MAX }, (_, at) => leafHash(utf8(String(at))));
const hashAt = hashesOf(leaves);
const roots = Array.from({ length: SIZE_MAX + 1 }, (_, size) => rootOf(leaves.slice(0, size)));
const rootAt = (size: number) => roots[size] ?? EMPTY_ROOT;
const headOf = (size: number) => ({ size, root: rootAt(size) });
const flipped = (hash: Uint8Array, bit: number): Uint8Array =>
  hash.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
const size = fc.integer({ min: 1, max: SIZE_MAX });
const bit = fc.integer({ min: 0, max: 255 });

describe('an inclusion proof', () => {
  it('leads from each leaf to the root, in a tree of any size', () => {
    for (const leafCount of [1, 2, 3, 4, 5, 6, 7, 8, 31, 32, 33, 100, 255, 256, 257, 300])
      for (let index = 0; index < leafCount; index += 1) {
        const claim = { leaf: hashAt(0, index), index, size: leafCount, root: rootAt(leafCount) };
        expect(isIncluded(claim, inclusionProof(index, leafCount, hashAt))).toBe(true);
      }
  });

  it('fails with any bit changed, a hash missing or added, and for another place or size', () =>
    fc.assert(
      fc.property(size, fc.nat(), bit, fc.nat(), (leafCount, seed, changed, which) => {
        const index = seed % leafCount;
        const claim = { leaf: hashAt(0, index), index, size: leafCount, root: rootAt(leafCount) };
        const proof = inclusionProof(index, leafCount, hashAt);
        const at = which % Math.max(1, proof.length);
        const wrong = proof.map((hash, place) => (place === at ? flipped(hash, changed) : hash));
        if (proof.length > 0) expect(isIncluded(claim, wrong)).toBe(false);
        expect(isIncluded({ ...claim, leaf: flipped(claim.leaf, changed) }, proof)).toBe(false);
        expect(isIncluded({ ...claim, root: flipped(claim.root, changed) }, proof)).toBe(false);
        expect(isIncluded(claim, [...proof, rootAt(leafCount)])).toBe(false);
        if (proof.length > 0) expect(isIncluded(claim, proof.slice(1))).toBe(false);
        if (leafCount > 1)
          expect(isIncluded({ ...claim, index: (index + 1) % leafCount }, proof)).toBe(false);
        expect(isIncluded({ ...claim, index: leafCount }, proof)).toBe(false);
      }),
    ));
});

describe('a consistency proof', () => {
  it('shows of any two sizes that the larger tree begins with the smaller one, and of no other tree', () =>
    fc.assert(
      fc.property(size, fc.nat(), bit, fc.nat(), (leafCount, seed, changed, which) => {
        const old = seed % (leafCount + 1);
        const proof = consistencyProof(old, leafCount, hashAt);
        expect(isConsistent(headOf(old), headOf(leafCount), proof)).toBe(true);
        expect(isConsistent(headOf(old), headOf(leafCount), [...proof, rootAt(leafCount)])).toBe(false);
        expect(
          isConsistent({ size: old, root: flipped(rootAt(old), changed) }, headOf(leafCount), proof),
        ).toBe(false);
        if (old > 0)
          expect(
            isConsistent(headOf(old), { size: leafCount, root: flipped(rootAt(leafCount), changed) }, proof),
          ).toBe(false);
        if (proof.length === 0) return;
        const at = which % proof.length;
        const wrong = proof.map((hash, place) => (place === at ? flipped(hash, changed) : hash));
        expect(isConsistent(headOf(old), headOf(leafCount), wrong)).toBe(false);
        expect(isConsistent(headOf(old), headOf(leafCount), proof.slice(1))).toBe(false);
        expect(isConsistent(headOf(leafCount), headOf(old), proof)).toBe(false);
      }),
    ));

  it('fails for a forked tree', () => {
    const fork = [...leaves.slice(0, 99), leafHash(utf8('other')), ...leaves.slice(100)];
    const proof = consistencyProof(150, 300, hashesOf(fork));
    expect(isConsistent(headOf(150), { size: 300, root: rootOf(fork) }, proof)).toBe(false);
  });
});
