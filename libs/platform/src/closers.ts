import { setTimeout as pause } from 'node:timers/promises';

/** For all of them together: less than orchestrators wait between SIGTERM and SIGKILL, 30 s where nothing is configured. */
const CLOSE_MAX_MS = 20_000;

/** What has to be closed, in the order in which it was opened. */
export class Closers {
  private readonly closers: (() => Promise<void>)[] = [];
  private closed = false;

  /** @param closeMaxMs for all of them together. */
  constructor(private readonly closeMaxMs = CLOSE_MAX_MS) {}

  /** What is opened after everything has been closed (a start that failed beside it) is closed at once. */
  add(close: () => Promise<void>): void {
    if (this.closed) void close().catch(() => undefined);
    else this.closers.push(close);
  }

  /**
   * Closes the newest first. One that fails does not keep the others open, and one that never ends is given up after half
   * of the time that is left, so that those behind it have time too. Resolves within the deadline. May be repeated.
   */
  async close(): Promise<void> {
    this.closed = true;
    const deadline = performance.now() + this.closeMaxMs;
    for (let close = this.closers.pop(); close; close = this.closers.pop())
      await within(Math.max(0, deadline - performance.now()) / 2, close);
  }
}

const within = async (milliseconds: number, close: () => Promise<void>): Promise<void> => {
  const closed = new AbortController();
  const tooLong = pause(milliseconds, undefined, { signal: closed.signal }).catch(() => undefined);
  await Promise.allSettled([Promise.race([close(), tooLong])]);
  closed.abort();
};
