import { StreamNotFoundError } from '@eventstore/db-client';

/** Items held for a reader that is busy; more stay with the server. */
const HELD_MAX = 512;

/** The used part of the client's subscriptions, whose own types do not match Node's. */
type Source<Item> = {
  readonly readableLength: number;
  isPaused(): boolean;
  pause(): unknown;
  resume(): unknown;
  on(event: 'data', listener: (item: Item) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
};

/** A marker between two items. */
type Mark = { readonly kind: string };
type Held<Item, Note> = { readonly item: Item } | { readonly mark: Note };

/**
 * The items of a read or subscription in server order, until `signal` aborts or the reader stops.
 * Differs from the client's stream in two ways. The client reports checkpoints at once, while earlier events still
 * wait in its buffer; here they keep their place behind those events, so that a reader never stores one too early. At
 * the end the call is cancelled and drained instead of destroyed: a destroyed stream with buffered events never ends,
 * and closing the client would wait for it.
 */
export class Feed<Item, Note extends Mark = never> {
  private readonly held: Held<Item, Note>[] = [];
  /** Pending marks, each with the number of items before it. */
  private waiting: { readonly behind: number; readonly mark: Note }[] = [];
  private received = 0;
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

  /** Puts a mark behind every item that the source has been sent so far. */
  mark(mark: Note): void {
    if (this.ended) return;
    this.waiting.push({ behind: this.received + this.source.readableLength, mark });
    this.placeMarks();
  }

  async *items(): AsyncGenerator<Item, void, undefined> {
    for await (const next of this.itemsAndMarks()) if ('item' in next) yield next.item;
  }

  async *itemsAndMarks(): AsyncGenerator<Held<Item, Note>, void, undefined> {
    try {
      for (;;) {
        const next = this.held.shift();
        if (next !== undefined) {
          if (this.held.length < HELD_MAX / 2 && this.source.isPaused()) this.source.resume();
          yield next;
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
    this.received += 1;
    this.hold({ item });
    this.placeMarks();
    if (this.held.length >= HELD_MAX) this.source.pause();
  }

  private placeMarks(): void {
    if (this.waiting.length === 0) return;
    const due = this.waiting.filter(({ behind }) => behind <= this.received);
    this.waiting = this.waiting.slice(due.length);
    for (const { mark } of due) this.placeMark(mark);
  }

  /** Consecutive marks of one kind are merged into the last, so that marks for a slow reader do not accumulate. */
  private placeMark(mark: Note): void {
    const last = this.held.at(-1);
    if (last && 'mark' in last && last.mark.kind === mark.kind) this.held.pop();
    this.hold({ mark });
  }

  private hold(next: Held<Item, Note>): void {
    this.held.push(next);
    this.wakeReader();
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
    this.held.length = 0;
    this.waiting = [];
    const isMissing = this.failure?.error instanceof StreamNotFoundError;
    this.stop();
    // The server has ended that call. It counts cancelled ones, and ends a connection with too many of them.
    if (isMissing) return;
    void this.cancel().catch(() => {});
  };
}
