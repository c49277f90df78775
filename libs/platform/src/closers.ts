import { within } from '@app/kernel';

/** Milliseconds for all resources together, less than the usual 30 s between SIGTERM and SIGKILL. */
const CLOSE_MAX_MS = 20_000;

/** Resources to close, in the order of opening. */
export class Closers {
  private readonly closers: (() => Promise<void>)[] = [];
  private closed = false;

  /** @param closeMaxMs milliseconds for all resources together. */
  constructor(private readonly closeMaxMs = CLOSE_MAX_MS) {}

  /** Adds a resource. After {@link close}, it is closed at once, such as that of a concurrent start that failed. */
  add(close: () => Promise<void>): void {
    if (this.closed) void close().catch(() => undefined);
    else this.closers.push(close);
  }

  /**
   * Closes the newest first. A failure does not keep others open, and a resource that hangs is abandoned after half of the
   * remaining time. Resolves within the deadline. Idempotent.
   */
  async close(): Promise<void> {
    this.closed = true;
    const deadline = performance.now() + this.closeMaxMs;
    for (let close = this.closers.pop(); close; close = this.closers.pop())
      await within(Math.max(0, deadline - performance.now()) / 2, close()).catch(() => undefined);
  }
}
