import type { LogPosition } from '@app/kernel';
import type { LogItem, RecordedInLog, StoredEvent, UnreadableEvent } from '@app/ports';

/** The available events in order, and the log position after them; or a single unreadable event. */
export type Batch = {
  readonly events: readonly RecordedInLog<StoredEvent>[];
  readonly unreadable?: UnreadableEvent;
  /** `undefined` if only the end of the log was read. */
  readonly position: LogPosition | undefined;
  readonly caughtUp: boolean;
  /** Whether the next batch is available already. */
  readonly hasNext: boolean;
};

/** Maximum buffered items, and maximum tokens of their content. */
const ITEMS_MAX = 1_000;
const TOKENS_MAX = 4_000_000;

/**
 * Reads ahead while the reader is busy, within limits: the first event is delivered at once, and events that arrive
 * meanwhile in one batch.
 */
export class ReadAhead {
  readonly #items: LogItem<StoredEvent>[] = [];
  #tokens = 0;
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;
  #isClosed = false;
  #changed: () => void = () => {};
  /** Resolves when the source has ended, however. */
  readonly over: Promise<void>;

  constructor(source: AsyncIterable<LogItem<StoredEvent>>) {
    this.over = this.#read(source);
  }

  /**
   * Returns at least one item, once available, and at most `eventsMax` events; `undefined` at the end.
   *
   * @throws the source's error, after all items before it.
   */
  async take(eventsMax: number): Promise<Batch | undefined> {
    while (this.#items.length === 0 && !this.#isOver) await this.#change();
    if (this.#items.length === 0) {
      if (this.#failure) throw this.#failure.error;
      return undefined;
    }
    const events: RecordedInLog<StoredEvent>[] = [];
    let position: LogPosition | undefined;
    let caughtUp = false;
    while (events.length < eventsMax) {
      const item = this.#items[0];
      if (!item || (item.kind === 'unreadable' && position !== undefined)) break;
      this.#items.shift();
      if (item.kind === 'unreadable') {
        this.#changed();
        const { unreadable } = item;
        return { events, unreadable, position: unreadable.position, caughtUp, hasNext: this.#hasNext };
      }
      this.#tokens -= tokensOf(item);
      if (item.kind === 'caught-up') caughtUp = true;
      else position = item.kind === 'event' ? item.recorded.position : item.position;
      if (item.kind === 'event') events.push(item.recorded);
    }
    this.#changed();
    return { events, position, caughtUp, hasNext: this.#hasNext };
  }

  get #hasNext(): boolean {
    return this.#items.length > 0;
  }

  /** Takes nothing more from the source, which is to end as soon as it can. */
  close(): void {
    this.#isClosed = true;
    this.#changed();
  }

  async #read(source: AsyncIterable<LogItem<StoredEvent>>): Promise<void> {
    try {
      for await (const item of source) {
        this.#items.push(item);
        this.#tokens += tokensOf(item);
        this.#changed();
        while (this.#isFull() && !this.#isClosed) await this.#change();
        if (this.#isClosed) return;
      }
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.#isOver = true;
      this.#changed();
    }
  }

  #isFull(): boolean {
    return this.#items.length >= ITEMS_MAX || this.#tokens >= TOKENS_MAX;
  }

  /** Reader and source never wait at the same time: one waits for items, the other for room. */
  #change(): Promise<void> {
    return new Promise((wake) => {
      this.#changed = wake;
    });
  }
}

const tokensOf = (item: LogItem<StoredEvent>): number =>
  item.kind === 'event' && item.recorded.event.type === 'MessageAppended'
    ? item.recorded.event.data.tokens
    : 0;
