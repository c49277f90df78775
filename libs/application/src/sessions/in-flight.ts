/** Work in progress that an erasure waits for, because it holds content that it has read before. */
export class InFlight {
  private readonly works = new Set<Promise<unknown>>();

  async track<Result>(work: () => Promise<Result>): Promise<Result> {
    const running = work();
    this.works.add(running);
    try {
      return await running;
    } finally {
      this.works.delete(running);
    }
  }

  /** Resolves when all work that is in progress now has ended, with or without success. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.works);
  }
}
