import { type StreamName, within } from '@app/kernel';

/** Longest wait in a queue, in milliseconds. Slower work does not delay the others further: the log finds their conflicts. */
const WAIT_MAX_MS = 1_000;

/**
 * Queues of the writers of each stream within this process. Without one, many writers that decide again after each conflict let one
 * succeed at a time, at the cost of all, and a slow one never does.
 */
export class WriterQueues {
  /** Resolves when the newest writer of a queue leaves it. */
  readonly #newest = new Map<StreamName, Promise<void>>();

  /** Whether the stream has a queue at the moment. */
  has(stream: StreamName): boolean {
    return this.#newest.has(stream);
  }

  /** Resolves when all writers before the caller have left, with the function that leaves the queue. */
  async enter(stream: StreamName): Promise<() => void> {
    const before = this.#newest.get(stream);
    let leave = (): void => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#newest.set(stream, left);
    if (before) await within(WAIT_MAX_MS, before);
    return () => {
      if (this.#newest.get(stream) === left) this.#newest.delete(stream);
      leave();
    };
  }
}
