/** Ids per text chunk, which takes far less memory than single strings. */
const CHUNK = 512;

/** Ids in their order, of messages that have one, in little more than their characters. */
export class IdList {
  private constructor(
    private readonly chunks: string[],
    private newest: (string | null)[],
  ) {}

  static empty = (): IdList => new IdList([], []);

  get length(): number {
    return this.chunks.length * CHUNK + this.newest.length;
  }

  push(id: string | undefined): void {
    this.newest.push(id ?? null);
    if (this.newest.length < CHUNK) return;
    this.chunks.push(JSON.stringify(this.newest));
    this.newest = [];
  }

  at(index: number): string | undefined {
    return this.idsOf(Math.floor(index / CHUNK))[index % CHUNK] ?? undefined;
  }

  /** Returns the first `count` ids as a list. */
  first(count: number): IdList {
    const whole = Math.floor(count / CHUNK);
    return new IdList(this.chunks.slice(0, whole), this.idsOf(whole).slice(0, count % CHUNK));
  }

  private idsOf(chunk: number): readonly (string | null)[] {
    if (chunk === this.chunks.length) return this.newest;
    const text = this.chunks[chunk];
    return text === undefined ? [] : JSON.parse(text);
  }
}
