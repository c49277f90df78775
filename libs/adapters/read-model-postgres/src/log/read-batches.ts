import { AppError, type LogPosition } from '@app/kernel';
import type { LogItem, RecordedInLog, StoredEvent, Subscriptions, UnreadableEvent } from '@app/ports';

/** A subscription from a position until the signal aborts. */
export type Source = (
  after: LogPosition | 'start',
  signal: AbortSignal,
) => AsyncIterable<LogItem<StoredEvent>>;

/** Yields all events after a log position in batches of available events, until `signal` aborts or the reader stops. */
export async function* readBatches(
  source: Source,
  after: LogPosition | 'start',
  signal: AbortSignal,
  eventsMax: () => number,
): AsyncGenerator<Batch> {
  const stop = new AbortController();
  const ahead = new ReadAhead(source(after, AbortSignal.any([signal, stop.signal])));
  try {
    while (!signal.aborted) {
      const batch = await ahead.take(eventsMax());
      if (!batch) return;
      yield batch;
    }
  } finally {
    stop.abort();
    ahead.close();
    await ahead.over;
  }
}

const EVENTS_MAX = 2_000;

/** A part of the log: its events, and its end position; an unreadable event is a part by itself. */
export type LogPart = {
  readonly events: readonly RecordedInLog<StoredEvent>[];
  readonly unreadable?: UnreadableEvent;
  readonly position: LogPosition;
};

/**
 * Yields the events after `after` and up to `upTo`, an existing log position, and ends. Uses a new subscription,
 * because only a new one reports the end of the log, and so ends even if the last event before `upTo` is filtered.
 *
 * @throws the reason of `signal`; {@link AppError} like `catchUp`.
 */
export async function* readUpTo(
  subscriptions: Subscriptions,
  after: LogPosition | 'start',
  upTo: LogPosition,
  signal: AbortSignal,
): AsyncGenerator<LogPart> {
  const isAfter = (position: LogPosition): boolean => after === 'start' || position > after;
  if (!isAfter(upTo)) return;
  const all: Source = (place, until) => subscriptions.catchUpAll(place, until);
  for await (const batch of readBatches(all, after, signal, () => EVENTS_MAX)) {
    const events = batch.events.filter(({ position }) => isAfter(position) && position <= upTo);
    const last = events.at(-1);
    if (last) yield { events, position: last.position };
    const { unreadable } = batch;
    if (unreadable && isAfter(unreadable.position) && unreadable.position <= upTo)
      yield { events: [], unreadable, position: unreadable.position };
    if (batch.caughtUp || (batch.position !== undefined && batch.position >= upTo)) return;
  }
  signal.throwIfAborted();
  throw new AppError('event-store-unavailable', 'the log ended a subscription: it is read again from there');
}

/** The available events in order, and the log position after them; or a single unreadable event. */
type Batch = {
  readonly events: readonly RecordedInLog<StoredEvent>[];
  readonly unreadable?: UnreadableEvent;
  /** `undefined` if only the end of the log was read. */
  readonly position: LogPosition | undefined;
  readonly caughtUp: boolean;
  /** Whether the next batch is available already. */
  readonly hasNext: boolean;
};

/** Maximum buffered items, and maximum tokens of their content. */
const ITEMS_MAX = 2_000;
const TOKENS_MAX = 4_000_000;

/**
 * Reads ahead while the reader is busy, within limits: the first event is delivered at once, and events that arrive
 * meanwhile in one batch.
 */
class ReadAhead {
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
