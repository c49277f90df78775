/** A slice is over after so long. Milliseconds. */
const SLICE_MS = 5;

/** Long work in slices, between which the event loop serves others: `if (slices.isOver) await slices.next()`. */
export class Slices {
  private began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.began >= SLICE_MS;
  }

  /** Resolves after a turn of the event loop. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.began = performance.now();
  }
}
