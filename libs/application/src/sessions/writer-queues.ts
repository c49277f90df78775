import { type StreamName, within } from '@app/kernel';

/** Longest wait for one writer that works, in milliseconds. Slower work does not delay the others further: the log finds their conflicts. */
const WORK_MAX_MS = 1_000;
/** Longest wait in a queue, in milliseconds. */
const WAIT_MAX_MS = 10_000;

/**
 * Queues of the writers of each stream within this process. Without one, many writers that decide again after each conflict let one
 * succeed at a time, at the cost of all, and a slow one never does.
 */
export class WriterQueues {
  /** Resolves when the newest writer of a queue has left, or has worked too long. */
  readonly #newest = new Map<StreamName, Promise<unknown>>();

  /**
   * Executes a write behind those that wait already. One without a queue in front of it begins at once, and enters the queue after its
   * first conflict.
   *
   * @param write calls `afterConflict` before it decides again.
   */
  async during<Result>(
    stream: StreamName,
    write: (afterConflict: () => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    let leave = this.has(stream) ? await this.enter(stream) : undefined;
    try {
      return await write(async () => {
        leave ??= await this.enter(stream);
      });
    } finally {
      leave?.();
    }
  }

  /** Whether the stream has a queue at the moment. */
  has(stream: StreamName): boolean {
    return this.#newest.has(stream);
  }

  /** Resolves when the writer before the caller gives way, with the function that leaves the queue. */
  async enter(stream: StreamName): Promise<() => void> {
    const before = this.#newest.get(stream);
    let leave = (): void => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const begun = before ? within(WAIT_MAX_MS, before) : Promise.resolve();
    const over = begun.then(() => within(WORK_MAX_MS, left));
    this.#newest.set(stream, over);
    await begun;
    return () => {
      if (this.#newest.get(stream) === over) this.#newest.delete(stream);
      leave();
    };
  }
}
