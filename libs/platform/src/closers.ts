/** What has to be closed, in the order in which it was opened. */
export class Closers {
  private readonly closers: (() => Promise<void>)[] = [];

  add(close: () => Promise<void>): void {
    this.closers.push(close);
  }

  /** Closes the newest first. One that fails does not keep the others open. May be repeated. */
  async close(): Promise<void> {
    for (let close = this.closers.pop(); close; close = this.closers.pop())
      await close().catch(() => undefined);
  }
}
