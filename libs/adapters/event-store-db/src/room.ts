import { AppError } from '@app/kernel';

/** Whether the log accepts events. Derived from appends; a full log is probed with an event of our own. */
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
