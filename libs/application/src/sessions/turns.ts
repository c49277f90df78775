import type { StreamName } from '@app/kernel';

/** Longest wait for a turn, in milliseconds. Slower work does not delay the others further: the log finds their conflicts. */
const WAIT_MAX_MS = 1_000;

/**
 * Turns of writers of one stream within this process. Without them, of many writers that decide again after each conflict one
 * succeeds at a time, at the cost of all, and a slow one never does.
 */
export class Turns {
  /** Resolves at the end of the newest turn. */
  readonly #newest = new Map<StreamName, Promise<void>>();

  /** Whether writers of the stream take turns at the moment. */
  areTaken(stream: StreamName): boolean {
    return this.#newest.has(stream);
  }

  /** Resolves when it is the caller's turn, with the function that ends it. */
  async take(stream: StreamName): Promise<() => void> {
    const before = this.#newest.get(stream);
    let end = (): void => {};
    const turn = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#newest.set(stream, turn);
    if (before) await within(WAIT_MAX_MS, before);
    return () => {
      if (this.#newest.get(stream) === turn) this.#newest.delete(stream);
      end();
    };
  }
}

const within = (milliseconds: number, wanted: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    void wanted.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
