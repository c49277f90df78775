import type { SessionEvent } from '@app/domain';
import { AppError, type JsonObject, type LogPosition, sessionOf, type TenantId } from '@app/kernel';
import type { EventItem, LogItem, Subscriptions } from '@app/ports';
import { followLog } from './follow-log.js';
import { LogPages } from './log-pages.js';
import { type StreamFilter, StreamReader } from './stream-reader.js';
import { type Streamed, StreamedEvent, UnreadableNotice } from './streamed-event.js';
import { type ChannelBounds, isAfter, TenantChannel } from './tenant-channel.js';

export type HubOptions = {
  readonly subscriptions: Subscriptions;
  /** Returns the facts of an event for readers without permission to read text. */
  readonly factsOf: (event: SessionEvent) => JsonObject;
  /** Maximum of concurrent readers of one tenant in this process. */
  readonly readersMax: number;
  /** Limits of buffered events of all tenants together; each tenant has an equal share. */
  readonly bounds: ChannelBounds;
  /** Called for each error before the hub continues. */
  readonly onError: (error: unknown) => void;
};

/** Feeds all stream readers of a process from one subscription, which lasts as long as there are readers. */
export class EventHub {
  readonly #readers = new Map<TenantId, Set<StreamReader>>();
  /** Readers that are being opened; they count towards the limit. */
  readonly #opening = new Map<TenantId, number>();
  readonly #pages: LogPages;
  #run: HubRun | undefined;
  #isClosed = false;

  constructor(private readonly options: HubOptions) {
    const { subscriptions } = options;
    this.#pages = new LogPages({ subscriptions, streamed: (item) => streamed(item, options) });
  }

  /**
   * Opens a reader of events after `after`: from the start, from now on, or after a position.
   *
   * @throws {AppError} `too-many-readers`; `position-ahead` if the log has not reached the position; `event-store-unavailable`.
   */
  async open(filter: StreamFilter, after: LogPosition | 'start' | 'now'): Promise<StreamReader> {
    const { tenant } = filter;
    const { readersMax } = this.options;
    const opening = this.#opening.get(tenant) ?? 0;
    if ((this.#readers.get(tenant)?.size ?? 0) + opening >= readersMax) {
      throw new AppError(
        'too-many-readers',
        `the tenant has ${readersMax} stream readers in this process, the maximum: close one of them`,
      );
    }
    this.#opening.set(tenant, opening + 1);
    try {
      return await this.#open(filter, after);
    } finally {
      const left = (this.#opening.get(tenant) ?? 1) - 1;
      if (left > 0) this.#opening.set(tenant, left);
      else this.#opening.delete(tenant);
      this.#stopIfIdle();
    }
  }

  /** Ends all readers, each with its position, and the subscription. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const readers of [...this.#readers.values()])
      for (const reader of [...readers]) reader.end('closing');
    await this.#run?.stop();
  }

  /** Number of open readers. */
  get size(): number {
    return [...this.#readers.values()].reduce((sum, { size }) => sum + size, 0);
  }

  async #open(filter: StreamFilter, after: LogPosition | 'start' | 'now'): Promise<StreamReader> {
    const { subscriptions, onError } = this.options;
    this.#run ??= new HubRun(this.options);
    const run = this.#run;
    await run.ready.catch((error: unknown) => {
      if (this.#run === run) this.#run = undefined;
      throw error;
    });
    const head = await subscriptions.head();
    const place = after === 'now' ? head : after;
    if (isAfter(place, head)) {
      throw new AppError(
        'position-ahead',
        `the log ends before ${place}, so it may have been restored: read it from the start`,
      );
    }
    if (this.#isClosed) throw new AppError('event-store-unavailable', 'this process is closing: try again');
    const reader: StreamReader = new StreamReader(filter, place, {
      pages: this.#pages,
      head,
      channel: run.channel(filter.tenant),
      hubPosition: () => run.position,
      onError,
      onClose: () => this.#forget(filter.tenant, reader),
    });
    this.#readers.set(filter.tenant, (this.#readers.get(filter.tenant) ?? new Set()).add(reader));
    return reader;
  }

  #forget(tenant: TenantId, reader: StreamReader): void {
    const readers = this.#readers.get(tenant);
    readers?.delete(reader);
    if (readers?.size === 0) {
      this.#readers.delete(tenant);
      this.#run?.leave(tenant);
    }
    this.#stopIfIdle();
  }

  #stopIfIdle(): void {
    if (this.#readers.size > 0 || this.#opening.size > 0) return;
    const run = this.#run;
    this.#run = undefined;
    this.#pages.clear();
    void run?.stop();
  }
}

/** The subscription of the hub, from the first reader to the last. */
class HubRun {
  readonly #stop = new AbortController();
  readonly #channels = new Map<TenantId, TenantChannel>();
  readonly #over: Promise<void>;
  /** Position up to which the channels have all events. */
  position: LogPosition | 'start' = 'start';
  readonly ready: Promise<void>;

  constructor(private readonly options: HubOptions) {
    this.ready = options.subscriptions.head().then((head) => {
      this.position = head;
    });
    this.#over = this.ready.then(
      () => followLog({ ...options, take: (item) => this.#take(item) }, this.position, this.#stop.signal),
      () => undefined,
    );
  }

  channel(tenant: TenantId): TenantChannel {
    const known = this.#channels.get(tenant);
    if (known) return known;
    const made = new TenantChannel(this.position, () => this.#share());
    this.#channels.set(tenant, made);
    return made;
  }

  leave(tenant: TenantId): void {
    this.#channels.delete(tenant);
  }

  #share(): ChannelBounds {
    const { events, characters } = this.options.bounds;
    const channels = Math.max(1, this.#channels.size);
    return { events: Math.ceil(events / channels), characters: Math.ceil(characters / channels) };
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#over;
  }

  #take(item: LogItem): void {
    if (item.kind === 'caught-up') return;
    if (item.kind === 'checkpoint') {
      if (isAfter(item.position, this.position)) this.position = item.position;
      return;
    }
    const { stream, position } = item.kind === 'event' ? item.recorded : item.unreadable;
    this.position = position;
    if (item.kind === 'unreadable') this.options.onError(item.unreadable.error);
    const tenant = sessionOf(stream)?.tenant;
    const channel = tenant && this.#channels.get(tenant);
    const event = channel && streamed(item, this.options);
    if (event) channel.push(event);
  }
}

const streamed = (item: EventItem, { factsOf }: HubOptions): Streamed | undefined => {
  const { stream } = item.kind === 'event' ? item.recorded : item.unreadable;
  const session = sessionOf(stream)?.session;
  if (session === undefined) return undefined;
  return item.kind === 'event'
    ? new StreamedEvent(item.recorded, session, factsOf)
    : new UnreadableNotice(item.unreadable, session);
};
