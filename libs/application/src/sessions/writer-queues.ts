import { type StreamName, within } from '@app/kernel';

/** Longest wait for one writer that works, in milliseconds. Slower work does not delay the others further: the log finds their conflicts. */
const WORK_MAX_MS = 1_000;
/** Longest wait in a queue, in milliseconds. */
const WAIT_MAX_MS = 10_000;

/** A promise, and the function that resolves it. */
class Moment {
  come = (): void => {};
  readonly over = new Promise<void>((resolve) => {
    this.come = resolve;
  });
}

/** A writer in a queue. */
class Writer {
  readonly #begun = new Moment();
  readonly #left = new Moment();
  readonly begin = this.#begun.come;
  readonly leave = this.#left.come;

  /** Resolves when the writer behind it may begin. */
  async gaveWay(): Promise<void> {
    await within(WAIT_MAX_MS, this.#begun.over);
    await within(WORK_MAX_MS, this.#left.over);
  }
}

/**
 * Queues of the writers of each stream within this process. Without one, many writers that decide again after each conflict let one
 * succeed at a time, at the cost of all, and a slow one never does.
 */
export class WriterQueues {
  readonly #newest = new Map<StreamName, Writer>();

  /** Whether the stream has a queue at the moment. */
  has(stream: StreamName): boolean {
    return this.#newest.has(stream);
  }

  /** Resolves when the writer before the caller has left, with the function that leaves the queue. */
  async enter(stream: StreamName): Promise<() => void> {
    const before = this.#newest.get(stream);
    const writer = new Writer();
    this.#newest.set(stream, writer);
    await before?.gaveWay();
    writer.begin();
    return () => {
      if (this.#newest.get(stream) === writer) this.#newest.delete(stream);
      writer.leave();
    };
  }
}
