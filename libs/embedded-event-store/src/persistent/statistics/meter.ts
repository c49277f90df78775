/** A measurement since the previous call. */
type Measurement = {
  readonly count: number;
  /** Rounded down. */
  readonly perSecond: number;
};

/** Counts, and reports the rate since the previous report. */
export class Meter {
  #total = 0;
  #totalBefore = 0;
  #askedAt: number;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.#askedAt = now();
  }

  get total(): number {
    return this.#total;
  }

  count(): void {
    this.#total += 1;
  }

  measure(): Measurement {
    const now = this.now();
    const elapsedMs = now - this.#askedAt;
    const count = this.#total - this.#totalBefore;
    this.#askedAt = now;
    this.#totalBefore = this.#total;
    return { count, perSecond: elapsedMs > 0 ? Math.floor((count * 1_000) / elapsedMs) : 0 };
  }
}
