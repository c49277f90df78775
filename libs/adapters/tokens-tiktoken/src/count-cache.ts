/** Cost of an entry besides its text, in characters, which bounds the number of short entries. */
const ENTRY_CHARACTERS = 64;

/**
 * Counts of the texts that were asked for last. Bounded by the characters that it holds, since a few texts can be
 * larger than all others together.
 */
export class CountCache {
  private readonly counts = new Map<string, number>();
  private held = 0;

  constructor(private readonly charactersMax: number) {}

  /** Returns the count of `text`, computed by `count` if unknown; `text` becomes the newest entry. */
  through(text: string, count: (text: string) => number): number {
    const known = this.counts.get(text);
    if (known !== undefined) {
      this.counts.delete(text); // A Map remembers the order of insertion: the first key is the oldest use.
      this.counts.set(text, known);
      return known;
    }
    const counted = count(text);
    this.keep(text, counted);
    return counted;
  }

  knows(text: string): boolean {
    return this.counts.has(text);
  }

  clear(): void {
    this.counts.clear();
    this.held = 0;
  }

  private keep(text: string, count: number): void {
    const size = sizeOf(text);
    if (size > this.charactersMax) return;
    this.counts.set(text, count);
    this.held += size;
    for (const oldest of this.counts.keys()) {
      if (this.held <= this.charactersMax) return;
      this.counts.delete(oldest);
      this.held -= sizeOf(oldest);
    }
  }
}

const sizeOf = (text: string): number => text.length + ENTRY_CHARACTERS;
