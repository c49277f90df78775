import { BoundedMap, type LogPosition } from '@app/kernel';
import type { EventItem, LogScope, Subscriptions } from '@app/ports';
import type { Streamed } from './streamed-event.js';

/** A FIFO semaphore. Each holder is limited in time, so that a slow one does not block others. */
export class Gate {
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(
    private readonly most: number,
    private readonly waitTimeoutMs: number,
  ) {}

  /** Resolves with the release function on the caller's turn, or at once if `signal` aborts. */
  async enter(signal: AbortSignal): Promise<() => void> {
    if (this.#inside >= this.most && !signal.aborted) await this.#turn(signal);
    this.#inside += 1;
    let isInside = true;
    const leave = (): void => {
      clearTimeout(timer);
      if (!isInside) return;
      isInside = false;
      this.#inside -= 1;
      if (this.#inside < this.most) this.#waiting.shift()?.();
    };
    const timer = setTimeout(leave, this.waitTimeoutMs).unref();
    return leave;
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        resolve();
      };
      const enter = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      this.#waiting.push(enter);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}

/** Events of a page; a slow reader holds one page in memory. */
const PAGE = 128;
/**
 * Maximum of concurrent page reads, and how long a slow one blocks others: a thousand reads at once would overload the event
 * store.
 */
const READING_MAX = 16;
const READING_MS = 2_000;
/** Maximum UTF-16 units of text in cached pages. */
const HELD_MAX = 4_000_000;
/** Weight of an event besides its text. */
const EVENT_WEIGHT = 200;

type Place = LogPosition | 'start';

/** The next events of a scope after a position, complete up to `reached`. */
type EventPage = { readonly events: readonly Streamed[]; readonly reached: Place };

type PagesParts = {
  readonly subscriptions: Pick<Subscriptions, 'page'>;
  readonly streamed: (item: EventItem) => Streamed | undefined;
};

/**
 * Reads history page by page for readers that are far behind. Concurrent reads of the same page are shared, and full pages,
 * which are immutable, are cached.
 */
export class LogPages {
  readonly #gate = new Gate(READING_MAX, READING_MS);
  readonly #underWay = new Map<string, SharedRead>();
  readonly #held = new BoundedMap<string, EventPage>(HELD_MAX, ({ events }) =>
    events.reduce((sum, event) => sum + event.weight + EVENT_WEIGHT, 0),
  );

  constructor(private readonly parts: PagesParts) {}

  /** @throws {AppError} `event-store-unavailable`; the reason of `signal` if it aborts. */
  async after(scope: LogScope, place: Place, signal: AbortSignal): Promise<EventPage> {
    signal.throwIfAborted();
    const key = `${scope.tenant} ${scope.session ?? ''} ${place}`;
    const held = this.#held.get(key);
    if (held) return held;
    const read = this.#underWay.get(key) ?? this.#begin(key, scope, place);
    return read.join(signal);
  }

  /** Clears the cache when there are no readers. */
  clear(): void {
    this.#held.clear();
  }

  #begin(key: string, scope: LogScope, place: Place): SharedRead {
    const read: SharedRead = new SharedRead(
      (signal) => this.#read(key, scope, place, signal),
      () => this.#underWay.get(key) === read && this.#underWay.delete(key),
    );
    this.#underWay.set(key, read);
    return read;
  }

  async #read(key: string, scope: LogScope, place: Place, signal: AbortSignal): Promise<EventPage> {
    const leave = await this.#gate.enter(signal);
    try {
      signal.throwIfAborted();
      const { items, reached, isFull } = await this.parts.subscriptions.page(
        { after: place, scope, limit: PAGE },
        signal,
      );
      const events = items.flatMap((item) => this.parts.streamed(item) ?? []);
      const page = { events, reached };
      if (isFull) this.#held.set(key, page);
      return page;
    } finally {
      leave();
    }
  }
}

/** A read shared by several callers; cancelled when all of them have left. */
class SharedRead {
  readonly #stop = new AbortController();
  readonly #page: Promise<EventPage>;
  #waiting = 0;

  constructor(
    read: (signal: AbortSignal) => Promise<EventPage>,
    private readonly over: () => void,
  ) {
    this.#page = read(this.#stop.signal).finally(over);
  }

  async join(signal: AbortSignal): Promise<EventPage> {
    this.#waiting += 1;
    const leave = (): void => {
      this.#waiting -= 1;
      if (this.#waiting > 0) return;
      this.over();
      this.#stop.abort();
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await this.#page;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}
