import { AppError } from '@app/kernel';

/** Whether the log takes events. What is known comes from appends; only a log that was full is tried by one of our own. */
export class Room {
  #isFull = false;

  /** @param tryAppend appends something small that no reader looks at. */
  constructor(private readonly tryAppend: () => Promise<unknown>) {}

  recorded(): void {
    this.#isFull = false;
  }

  refused(error: unknown): void {
    if (error instanceof AppError && error.code === 'disk-full') this.#isFull = true;
  }

  /** Costs nothing while appends succeed. */
  async takesEvents(): Promise<boolean> {
    if (!this.#isFull) return true;
    await this.tryAppend().then(
      () => this.recorded(),
      () => undefined,
    );
    return !this.#isFull;
  }
}
