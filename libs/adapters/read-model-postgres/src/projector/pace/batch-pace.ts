/** Sustained delay between batches in milliseconds, and the size of a burst. */
const APART_MS = 100;
const AT_ONCE = 10;

/**
 * A rate limit for batches of a projector that has caught up. A batch costs the same dozen statements for one event
 * or a hundred: single events are written at once, and under continuous load each batch takes all events since the
 * last.
 */
export class BatchPace {
  /** When the batches so far are paid for. */
  private paidAt: number;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.paidAt = this.now();
  }

  /** Milliseconds to wait before the next batch. */
  afterBatch(): number {
    const now = this.now();
    this.paidAt = Math.max(this.paidAt, now) + APART_MS;
    return Math.max(0, this.paidAt - now - AT_ONCE * APART_MS);
  }
}
