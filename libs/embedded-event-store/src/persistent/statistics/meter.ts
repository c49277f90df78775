/** What was counted since the last time that somebody asked. */
type Measurement = {
  readonly count: number;
  /** Whole ones, rounded down. */
  readonly perSecond: number;
};

/** Counts, and tells how fast it went since it was asked last. */
export class Meter {
  #total = 0;
  #totalBefore = 0;
  #askedAt: number;

  /** `now`: milliseconds, by a clock that does not jump. */
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
