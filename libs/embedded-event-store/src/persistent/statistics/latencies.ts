/** The number of latest samples that are kept. */
const WINDOW_COUNT = 1_000;

const PERCENTILES = [90, 95, 99, 99.5, 99.9];

/** Latencies from delivery to answer, over the latest samples. Whole milliseconds. */
export class Latencies {
  readonly #times: number[] = [];
  #oldest = 0;

  add(milliseconds: number): void {
    const time = Math.floor(milliseconds);
    if (this.#times.length < WINDOW_COUNT) {
      this.#times.push(time);
      return;
    }
    this.#times[this.#oldest] = time;
    this.#oldest = (this.#oldest + 1) % WINDOW_COUNT;
  }

  /** Returns EventStoreDB's named measurements; none without samples. */
  measurements(): [name: string, milliseconds: number][] {
    const times = Float64Array.from(this.#times).sort();
    if (times.length === 0) return [];
    const at = (index: number): number => times[Math.min(index, times.length - 1)] ?? 0;
    const percentile = (percent: number): number => at(Math.floor((percent * times.length) / 100));
    const total = times.reduce((sum, time) => sum + time, 0);
    return [
      ['Mean', Math.floor(total / times.length)],
      ['Median', at(Math.floor(times.length / 2))],
      ['Fastest', at(0)],
      ...[1, 2, 3, 4, 5].map((n): [string, number] => [`Quintile ${n}`, percentile((n - 1) * 20)]),
      ...PERCENTILES.map((percent): [string, number] => [`${percent}%`, percentile(percent)]),
      ['Highest', at(times.length - 1)],
    ];
  }
}
