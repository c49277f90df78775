import type { Engine, Put } from '../storage/engine.js';

const COUNT_MAX = 1_024;
const BYTES_MAX = 4 * 2 ** 20;

/** Batches puts into transactions of a few megabytes. */
export class Sink {
  #puts: Put[] = [];
  #bytes = 0;

  constructor(private readonly engine: Engine) {}

  async put(put: Put): Promise<void> {
    this.#puts.push(put);
    this.#bytes += put.value?.length ?? 0;
    if (this.#puts.length >= COUNT_MAX || this.#bytes >= BYTES_MAX) await this.flush();
  }

  async flush(): Promise<void> {
    const puts = this.#puts;
    this.#puts = [];
    this.#bytes = 0;
    if (puts.length > 0) await this.engine.commit(puts);
  }
}
