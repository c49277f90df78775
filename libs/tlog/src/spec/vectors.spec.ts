import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64, fromBase64, utf8 } from '../bytes.js';
import {
  consistencyProof,
  cosign,
  encodeTile,
  formatNote,
  formatVerifierKey,
  grownTiles,
  hashesInTiles,
  hashesOf,
  inclusionProof,
  isConsistent,
  isIncluded,
  leafHash,
  openCheckpoint,
  openNote,
  parseSignerKey,
  parseVerifierKey,
  rootOf,
  signerKey,
  signText,
  tilePath,
  withCosignatures,
} from '../index.js';
import { formatSignature } from '../note.js';

type Proof = { readonly a: number; readonly size: number; readonly proof: readonly string[] };
const vectors: {
  readonly roots: Readonly<Record<string, string>>;
  readonly leafOf599: string;
  readonly inclusion: readonly Proof[];
  readonly consistency: readonly Proof[];
  readonly tiles: readonly { readonly path: string; readonly sha256: string }[];
  readonly note: { readonly signerKey: string; readonly verifierKey: string; readonly signed: string };
  readonly witness: Readonly<Record<'seed' | 'name' | 'verifierKey' | 'line', string>> & {
    readonly time: number;
  };
} = JSON.parse(readFileSync(new URL('./vectors.json', import.meta.url), 'utf8'));

const leaves = Array.from({ length: 600 }, (_, at) => leafHash(utf8(`entry ${at}`)));
const hashAt = hashesOf(leaves);
const bytes = (text: string): Uint8Array => fromBase64(text) ?? new Uint8Array();

/** Guarantee: hashes, proofs, tiles, notes and cosignatures are those of Go’s golang.org/x/mod/sumdb. */
describe('as Go has it', () => {
  it('hashes leaves and trees', () => {
    expect(leaves[599] && base64(leaves[599])).toBe(vectors.leafOf599);
    for (const [size, root] of Object.entries(vectors.roots))
      expect(base64(rootOf(leaves.slice(0, Number(size))))).toBe(root);
  });

  it('proves inclusion', () => {
    for (const { a: index, size, proof } of vectors.inclusion) {
      expect(inclusionProof(index, size, hashAt).map(base64)).toEqual(proof);
      const claim = { leaf: hashAt(0, index), index, size, root: rootOf(leaves.slice(0, size)) };
      expect(isIncluded(claim, proof.map(bytes))).toBe(true);
    }
  });

  it('proves consistency', () => {
    const headOf = (size: number) => ({ size, root: rootOf(leaves.slice(0, size)) });
    for (const { a: oldSize, size, proof } of vectors.consistency) {
      expect(consistencyProof(oldSize, size, hashAt).map(base64)).toEqual(proof);
      expect(isConsistent(headOf(oldSize), headOf(size), proof.map(bytes))).toBe(true);
    }
  });

  it('cuts tiles', () => {
    const tiles = grownTiles(0, [], leaves);
    expect(tiles.map((tile) => ({ path: tilePath(tile), sha256: base64(sha256(encodeTile(tile))) }))).toEqual(
      vectors.tiles,
    );
    expect(inclusionProof(300, 600, hashesInTiles(tiles))).toEqual(inclusionProof(300, 600, hashAt));
  });

  it('signs and opens notes', () => {
    const { signerKey: secret, verifierKey, signed } = vectors.note;
    const key = parseSignerKey(secret);
    expect(formatVerifierKey(key)).toBe(verifierKey);
    const { text, verified } = openNote(signed, [parseVerifierKey(verifierKey)]);
    expect(verified).toHaveLength(1);
    expect(formatNote({ text, signatures: [signText(text, key)] })).toBe(signed);
  });

  it('cosigns checkpoints', () => {
    const { seed, name, verifierKey, time, line } = vectors.witness;
    const log = parseVerifierKey(vectors.note.verifierKey);
    const { note } = openCheckpoint(vectors.note.signed, 'example.com/vectors', [log]);
    const witness = signerKey(name, 'ed25519-cosignature', bytes(seed));
    expect(formatVerifierKey(witness)).toBe(verifierKey);
    expect(formatSignature(cosign(note.text, witness, time))).toBe(line);
    expect(withCosignatures(note, line, [parseVerifierKey(verifierKey)]).added).toHaveLength(1);
  });
});

/** The examples that the specifications print. */
it('opens the examples of the specifications', () => {
  const key = parseVerifierKey('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
  const signed = `This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n`;
  expect(openNote(signed, [key]).text).toBe('This is an example message.\n');
  expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067');
});
