import { setTimeout as pause } from 'node:timers/promises';

/** What takes longer to close is given up, so that a process always ends: its servers stop without it then. */
const CLOSE_MAX_MS = 30_000;

/** What has to be closed, in the order in which it was opened. */
export class Closers {
  private readonly closers: (() => Promise<void>)[] = [];
  private closed = false;

  /** What is opened after everything has been closed (a start that failed beside it) is closed at once. */
  add(close: () => Promise<void>): void {
    if (this.closed) void close().catch(() => undefined);
    else this.closers.push(close);
  }

  /** Closes the newest first. One that fails, or never ends, does not keep the others open. May be repeated. */
  async close(): Promise<void> {
    this.closed = true;
    for (let close = this.closers.pop(); close; close = this.closers.pop()) await patiently(close);
  }
}

const patiently = async (close: () => Promise<void>): Promise<void> => {
  const closed = new AbortController();
  const tooLong = pause(CLOSE_MAX_MS, undefined, { signal: closed.signal });
  await Promise.allSettled([Promise.race([close(), tooLong])]);
  closed.abort();
  await tooLong.catch(() => undefined);
};
