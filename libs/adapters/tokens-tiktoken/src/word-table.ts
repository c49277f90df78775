/** A power of two, twice as many as there are words at most. */
const SLOTS = 1 << 17;
const WORDS_MAX = SLOTS / 2;
/** Of all words together. */
const CHARACTERS_MAX = 1 << 20;

/**
 * Counts of words of ASCII, found where they stand in a text: to cut each of them out of it would take longer than all the
 * rest. Takes 2.5 MB; once it is full it begins anew.
 */
export class WordTable {
  private readonly hashes = new Int32Array(SLOTS);
  /** Where the characters of a word begin, and behind them how many tokens they are; 0 where a slot is empty. */
  private readonly starts = new Int32Array(SLOTS);
  private readonly lengths = new Uint8Array(SLOTS);
  private readonly tokens = new Uint8Array(SLOTS);
  private readonly characters = new Uint8Array(CHARACTERS_MAX);
  private used = 1;
  private words = 0;

  /** Tokens of the word of at most 255 characters from `start` to `end`; as many as `learn` says where it is new. */
  through(text: string, start: number, end: number, learn: (word: string) => number): number {
    let hash = end - start;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
    hash ^= hash >>> 15;
    let slot = hash & (SLOTS - 1);
    for (; this.starts[slot] !== 0; slot = (slot + 1) & (SLOTS - 1))
      if (this.hashes[slot] === hash && this.isAt(slot, text, start, end)) return this.tokens[slot] ?? 0;
    const tokens = learn(text.slice(start, end));
    if (this.words === WORDS_MAX || this.used + end - start > CHARACTERS_MAX) this.clear();
    else this.keep(slot, hash, text, start, end, tokens);
    return tokens;
  }

  private isAt(slot: number, text: string, start: number, end: number): boolean {
    if (this.lengths[slot] !== end - start) return false;
    const from = (this.starts[slot] ?? 0) - start;
    for (let at = start; at < end; at += 1)
      if (this.characters[from + at] !== text.charCodeAt(at)) return false;
    return true;
  }

  private keep(slot: number, hash: number, text: string, start: number, end: number, tokens: number): void {
    this.hashes[slot] = hash;
    this.starts[slot] = this.used;
    this.lengths[slot] = end - start;
    this.tokens[slot] = tokens;
    for (let at = start; at < end; at += 1) this.characters[this.used + at - start] = text.charCodeAt(at);
    this.used += end - start;
    this.words += 1;
  }

  private clear(): void {
    this.starts.fill(0);
    this.used = 1;
    this.words = 0;
  }
}
