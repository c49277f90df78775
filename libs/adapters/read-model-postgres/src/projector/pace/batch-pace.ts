/** In the long run, so many milliseconds lie between two batches; so many may come at once before that. */
const APART_MS = 100;
const AT_ONCE = 10;

/**
 * How long a projector that is not behind waits after a batch. A batch costs the same dozen of statements whether it has one
 * event or a hundred: now and then one is written at once, and where they go on and on, each takes what has come meanwhile.
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
