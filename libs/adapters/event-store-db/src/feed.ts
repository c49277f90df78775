import { setImmediate as nextTurn } from 'node:timers/promises';

/** Items held for a reader that is busy; more stay with the server. */
const HELD_MAX = 512;

/** As much of the client's subscriptions as is needed; their own types do not fit Node's. */
type Source<Item> = {
  readonly readableLength: number;
  isPaused(): boolean;
  pause(): unknown;
  resume(): unknown;
  on(event: 'data', listener: (item: Item) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
};

/**
 * What a read or a subscription of the client delivers, in the order in which the server sent it, until `signal` aborts
 * or the reader has seen enough.
 *
 * It does two things that the client's own stream does not. Checkpoints, which the client hands out at once while
 * events before them still wait in its buffer, take their place behind those events: a reader that stored one too
 * early and then died would never see them. And at the end the call is cancelled and drained, not destroyed: a stream
 * that is destroyed with events still in it never ends, and closing the client would wait for it for ever.
 */
export class Feed<Item> {
  private readonly held: Item[] = [];
  private failure: { readonly error: unknown } | undefined;
  private ended = false;
  private wakeReader: () => void = () => {};
  private wakeSource: () => void = () => {};

  constructor(
    private readonly source: Source<Exclude<Item, bigint>>,
    /** Ends the call behind the source. */
    private readonly cancel: () => Promise<void>,
    private readonly signal?: AbortSignal,
  ) {
    source.on('data', (item) => this.push(item));
    source.on('error', (error) => this.stop({ error }));
    source.on('end', () => this.stop());
    if (signal?.aborted) this.close();
    else signal?.addEventListener('abort', this.close, { once: true });
  }

  /** Queues an item behind every event that the source has been sent so far. */
  async pushInOrder(item: Item): Promise<void> {
    while (this.source.readableLength > 0 && !this.ended) {
      if (this.source.isPaused()) await new Promise<void>((wake) => (this.wakeSource = wake));
      else await nextTurn();
    }
    if (!this.ended) this.push(item);
  }

  async *items(): AsyncGenerator<Item, void, undefined> {
    try {
      for (;;) {
        const item = this.held.shift();
        if (item !== undefined) {
          if (this.held.length < HELD_MAX / 2) this.resume();
          yield item;
        } else if (this.failure) throw this.failure.error;
        else if (this.ended) return;
        else await new Promise<void>((wake) => (this.wakeReader = wake));
      }
    } finally {
      this.close();
    }
  }

  private push(item: Item): void {
    if (this.ended) return;
    this.held.push(item);
    if (this.held.length >= HELD_MAX) this.source.pause();
    this.wakeReader();
  }

  private resume(): void {
    if (this.source.isPaused()) this.source.resume();
    this.wakeSource();
  }

  private stop(failure?: { readonly error: unknown }): void {
    if (this.ended) return;
    this.ended = true;
    this.failure = failure;
    this.wakeReader();
    this.resume(); // What still comes is dropped.
  }

  private readonly close = (): void => {
    this.signal?.removeEventListener('abort', this.close);
    this.held.length = 0;
    this.stop();
    void this.cancel().catch(() => {});
  };
}
