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

/** Something that is said about the place between two items. */
type Mark = { readonly kind: string };
type Held<Item, Note> = { readonly item: Item } | { readonly mark: Note };

/**
 * What a read or a subscription of the client delivers, in the order in which the server sent it, until `signal` aborts
 * or the reader has seen enough.
 *
 * It does two things that the client's own stream does not. Checkpoints, which the client hands out at once while
 * events before them still wait in its buffer, take their place behind those events: a reader that stored one too
 * early and then died would never see them. And at the end the call is cancelled and drained, not destroyed: a stream
 * that is destroyed with events still in it never ends, and closing the client would wait for it for ever.
 */
export class Feed<Item, Note extends Mark = never> {
  private readonly held: Held<Item, Note>[] = [];
  /** Marks whose place has not come yet: each stands behind so many items. */
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

  /** Of marks of one kind in the same place the last says it all, so that a slow reader's do not pile up. */
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
    this.stop();
    void this.cancel().catch(() => {});
  };
}
