/** Size of the cache; the target is queried for other streams. */
const HEADS_MAX = 50_000;

/** A cache of the last revisions of recently used streams. */
export class Heads {
  readonly #last = new Map<string, bigint>();

  get(stream: string): bigint | undefined {
    return this.#last.get(stream);
  }

  set(stream: string, revision: bigint): void {
    this.#last.delete(stream); // Moves the entry to the newest end.
    this.#last.set(stream, revision);
    if (this.#last.size <= HEADS_MAX) return;
    for (const oldest of this.#last.keys()) {
      this.#last.delete(oldest);
      break;
    }
  }
}
