/** So many streams are remembered; of the others the target is asked. */
const HEADS_MAX = 50_000;

/** The last revisions of the streams that were touched lately. */
export class Heads {
  readonly #last = new Map<string, bigint>();

  get(stream: string): bigint | undefined {
    return this.#last.get(stream);
  }

  set(stream: string, revision: bigint): void {
    this.#last.delete(stream); // Set anew, it is the youngest.
    this.#last.set(stream, revision);
    if (this.#last.size <= HEADS_MAX) return;
    for (const oldest of this.#last.keys()) {
      this.#last.delete(oldest);
      break;
    }
  }
}
