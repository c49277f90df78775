import { StreamNotFoundError } from '@eventstore/db-client';

/** Items held for a reader that is busy; more stay with the server. */
const HELD_MAX = 512;

/** The used part of the client's subscriptions, whose own types do not match Node's. */
type Source<Item> = {
  isPaused(): boolean;
  pause(): unknown;
  resume(): unknown;
  on(event: 'data', listener: (item: Item) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
};

/**
 * The items of a read or subscription in server order, until `signal` aborts or the reader stops. At the end the call is
 * cancelled and drained instead of destroyed: a destroyed stream with buffered events never ends, and closing the client
 * would wait for it.
 */
export class Feed<Item> {
  private held: Item[] = [];
  private failure: { readonly error: unknown } | undefined;
  private ended = false;
  private wakeReader: () => void = () => {};

  constructor(
    private readonly source: Source<Item>,
    /** Ends the call behind the source. */
    private readonly cancel: () => Promise<void>,
    private readonly signal?: AbortSignal,
  ) {
    source.on('data', (item) => this.receive(item));
    source.on('error', (error) => this.stop({ error }));
    source.on('end', () => this.stop());
    if (signal?.aborted) this.close();
    else signal?.addEventListener('abort', this.close, { once: true });
  }

  async *items(): AsyncGenerator<Item, void, undefined> {
    for await (const batch of this.batches())
      for (const item of batch) {
        if (this.signal?.aborted) return;
        yield item;
      }
  }

  /** Yields the items that are available together; one at least. */
  async *batches(): AsyncGenerator<readonly Item[], void, undefined> {
    try {
      for (;;) {
        if (this.held.length > 0) {
          const batch = this.held;
          this.held = [];
          if (this.source.isPaused()) this.source.resume();
          yield batch;
        } else if (this.failure) throw this.failure.error;
        else if (this.ended) return;
        else await new Promise<void>((wake) => (this.wakeReader = wake));
      }
    } finally {
      this.close();
    }
  }

  private receive(item: Item): void {
    if (this.ended) return;
    this.held.push(item);
    this.wakeReader();
    if (this.held.length >= HELD_MAX) this.source.pause();
  }

  private stop(failure?: { readonly error: unknown }): void {
    if (this.ended) return;
    this.ended = true;
    this.failure = failure;
    this.wakeReader();
    if (this.source.isPaused()) this.source.resume(); // What still comes is dropped.
  }

  private readonly close = (): void => {
    this.signal?.removeEventListener('abort', this.close);
    this.held = [];
    const isMissing = this.failure?.error instanceof StreamNotFoundError;
    this.stop();
    // The server has ended that call. It counts cancelled ones, and ends a connection with too many of them.
    if (isMissing) return;
    void this.cancel().catch(() => {});
  };
}
