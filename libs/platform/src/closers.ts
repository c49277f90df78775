/** What has to be closed, in the order in which it was opened. */
export class Closers {
  private readonly closers: (() => Promise<void>)[] = [];
  private closed = false;

  /** What is opened after everything has been closed (a start that failed beside it) is closed at once. */
  add(close: () => Promise<void>): void {
    if (this.closed) void close().catch(() => undefined);
    else this.closers.push(close);
  }

  /** Closes the newest first. One that fails does not keep the others open. May be repeated. */
  async close(): Promise<void> {
    this.closed = true;
    for (let close = this.closers.pop(); close; close = this.closers.pop())
      await close().catch(() => undefined);
  }
}
