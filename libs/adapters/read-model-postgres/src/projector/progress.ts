/** Says to whoever waits in this process that rows were written, and counts how often. */
export class Progress {
  #count = 0;
  #wake: () => void = () => {};
  #next = this.#promise();

  get count(): number {
    return this.#count;
  }

  advance(): void {
    this.#count += 1;
    const wake = this.#wake;
    this.#next = this.#promise();
    wake();
  }

  /** Resolves the next time from now on. */
  next(): Promise<void> {
    return this.#next;
  }

  #promise(): Promise<void> {
    return new Promise((wake) => {
      this.#wake = wake;
    });
  }
}
