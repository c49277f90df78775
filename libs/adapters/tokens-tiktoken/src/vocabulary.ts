import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** By its own name: to find it in `Math` each time takes longer than to multiply where globals are intercepted. */
const { imul, min } = Math;

/** Of the tokens in the package's file: counts of another file would differ silently. */
const SHA_256 = '668f83487879955e157e83e9ad474c2a5aba180107abd9fcb52b40785d56abcd';

/** Follows every rank: no token. */
const NONE = 0x7fff_ffff;
const TOKENS_MAX = 1 << 18;
const SLOTS = 2 * TOKENS_MAX;
/** Bytes from which a word takes longer by looking for its lowest rank than by {@link LowestRank}. */
const LONG = 64;

/**
 * The tokens of o200k_base in tables of 5 MB, from the file of the package `tiktoken`. The tables of the package itself take
 * 80 MB in every process and thread that counts, and ten times as long to build.
 */
export class Vocabulary {
  /** The bytes of all tokens, by rank. */
  private readonly bytes: Buffer;
  private readonly ends = new Int32Array(TOKENS_MAX);
  /** By the hash of a token: its rank + 1; 0 for an empty slot. */
  private readonly slots = new Int32Array(SLOTS);
  private longest = 0;
  private readonly encoder = new TextEncoder();
  private word = new Uint8Array(0);
  /** Where each part of the word begins, and the rank of the token that it makes with the next part. */
  private starts = new Int32Array(0);
  private ranks = new Int32Array(0);
  /** By the first byte of a part of a long word: the first bytes of its neighbors. */
  private befores = new Int32Array(0);
  private nexts = new Int32Array(0);
  private readonly lowest = new LowestRank();

  /** @param tokens in base64, by rank, each behind a space. */
  private constructor(tokens: string) {
    this.bytes = Buffer.allocUnsafeSlow(Math.ceil((tokens.length * 3) / 4));
    for (let [at, rank, used] = [0, 0, 0]; at >= 0; rank += 1) {
      const next = tokens.indexOf(' ', at + 1);
      used += this.bytes.write(tokens.slice(at + 1, next < 0 ? undefined : next), used, 'base64');
      this.ends[rank] = used;
      this.keep(rank);
      at = next;
    }
  }

  /** @throws if the installed package is another one, or damaged. */
  static load(): Vocabulary {
    const file = readFileSync(require.resolve('tiktoken/encoders/o200k_base.json'), 'latin1');
    // The tokens are one string: "! 0 IQ== Ig== …".
    const [, tokens = ''] = /"! 0( [^"]*)"/.exec(file) ?? [];
    const digest = createHash('sha256').update(tokens).digest('hex');
    if (digest !== SHA_256)
      throw new Error(
        'the file of the package tiktoken with the tokens of o200k_base is damaged: install it again',
      );
    return new Vocabulary(tokens);
  }

  /** Returns the tokens of a word: the pair of neighbors with the lowest rank becomes one token, until no pair is a token. */
  count(word: string): number {
    if (this.word.length < 3 * word.length) {
      this.word = new Uint8Array(6 * word.length);
      this.starts = new Int32Array(this.word.length + 2);
      this.ranks = new Int32Array(this.word.length + 2);
    }
    const { written } = this.encoder.encodeInto(word, this.word);
    if (this.rankOf(0, written) !== NONE) return 1;
    return written < LONG ? this.merge(written) : this.mergeLong(written);
  }

  /** Drops the word that was counted last. */
  forget(): void {
    this.word.fill(0);
  }

  private merge(length: number): number {
    const { starts, ranks } = this;
    for (let at = 0; at <= length; at += 1) starts[at] = at;
    for (let at = 0; at < length; at += 1) ranks[at] = at + 2 > length ? NONE : this.rankOf(at, at + 2);
    for (let parts = length; ; parts -= 1) {
      let lowest = NONE;
      let place = 0;
      for (let at = 0; at < parts; at += 1) {
        const rank = ranks[at] ?? NONE;
        if (rank >= lowest) continue;
        lowest = rank;
        place = at;
      }
      if (lowest === NONE) return parts;
      starts.copyWithin(place + 1, place + 2, parts + 1);
      ranks.copyWithin(place + 1, place + 2, parts);
      ranks[place] = this.rankAt(place, parts - 1);
      if (place > 0) ranks[place - 1] = this.rankAt(place - 1, parts - 1);
    }
  }

  /** As {@link merge}, in n log n: it neither looks for the lowest rank nor moves parts. */
  private mergeLong(length: number): number {
    if (this.nexts.length <= length) {
      this.nexts = new Int32Array(2 * length + 2);
      this.befores = new Int32Array(2 * length + 2);
    }
    const { nexts, befores, lowest } = this;
    for (let at = 0; at <= length; at += 1) {
      nexts[at] = at + 1;
      befores[at] = at - 1;
    }
    lowest.clear(length);
    for (let at = 0; at + 2 <= length; at += 1) lowest.set(at, this.rankOf(at, at + 2));
    for (let parts = length; ; parts -= 1) {
      const place = lowest.place();
      if (place < 0) return parts;
      const merged = nexts[place] ?? 0;
      const next = nexts[merged] ?? 0;
      nexts[place] = next;
      befores[next] = place;
      lowest.set(merged, NONE);
      lowest.set(place, next < length ? this.rankOf(place, nexts[next] ?? 0) : NONE);
      const before = befores[place] ?? 0;
      if (before >= 0) lowest.set(before, this.rankOf(before, next));
    }
  }

  /** Returns the rank of a part with the next one. */
  private rankAt(part: number, parts: number): number {
    return part + 2 > parts ? NONE : this.rankOf(this.starts[part] ?? 0, this.starts[part + 2] ?? 0);
  }

  /** Returns the rank of the token that is the bytes of the word from `start` to `end`. */
  private rankOf(start: number, end: number): number {
    if (end - start > this.longest) return NONE;
    for (let slot = hashOf(this.word, start, end) & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
      const rank = (this.slots[slot] ?? 0) - 1;
      if (rank < 0) return NONE;
      if (this.isAt(rank, start, end)) return rank;
    }
  }

  private isAt(rank: number, start: number, end: number): boolean {
    const from = this.startOf(rank);
    if ((this.ends[rank] ?? 0) - from !== end - start) return false;
    for (let at = start; at < end; at += 1) if (this.bytes[from + at - start] !== this.word[at]) return false;
    return true;
  }

  private startOf(rank: number): number {
    return rank === 0 ? 0 : (this.ends[rank - 1] ?? 0);
  }

  private keep(rank: number): void {
    const [start, end] = [this.startOf(rank), this.ends[rank] ?? 0];
    this.longest = Math.max(this.longest, end - start);
    let slot = hashOf(this.bytes, start, end) & (SLOTS - 1);
    while (this.slots[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
    this.slots[slot] = rank + 1;
  }
}

/** Ranks by place, of which it finds the first lowest in a binary tree: each node has the lowest rank below it. */
class LowestRank {
  private leaves = 1;
  private tree = new Int32Array(2);

  /** Sets all places up to `length` to no rank. */
  clear(length: number): void {
    this.leaves = 1;
    while (this.leaves < length) this.leaves *= 2;
    if (this.tree.length < 2 * this.leaves) this.tree = new Int32Array(2 * this.leaves);
    this.tree.fill(NONE, 0, 2 * this.leaves);
  }

  set(place: number, rank: number): void {
    const { tree } = this;
    let node = this.leaves + place;
    tree[node] = rank;
    while (node > 1) {
      const neighbor = tree[node ^ 1] ?? NONE;
      const own = tree[node] ?? NONE;
      const lower = min(own, neighbor);
      node >>= 1;
      if (tree[node] === lower) return;
      tree[node] = lower;
    }
  }

  /** Returns the first place with the lowest rank; −1 if no place has one. */
  place(): number {
    const { tree, leaves } = this;
    const lowest = tree[1];
    if (lowest === NONE) return -1;
    let node = 1;
    while (node < leaves) {
      node *= 2;
      if (tree[node] !== lowest) node += 1;
    }
    return node - leaves;
  }
}

const hashOf = (bytes: Uint8Array, start: number, end: number): number => {
  let hash = end - start;
  for (let at = start; at < end; at += 1) hash = imul(hash ^ (bytes[at] ?? 0), 0x0100_0193);
  return hash ^ (hash >>> 15);
};
