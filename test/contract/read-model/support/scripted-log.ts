import { randomUUID } from 'node:crypto';
import { isSessionEventType, isTenantEventType, type SessionEvent, type TenantEvent } from '@app/domain';
import {
  Actor,
  AppError,
  IsoTime,
  LogPosition,
  Revision,
  SessionId,
  type StreamName,
  sessionStream,
  TenantId,
} from '@app/kernel';
import type {
  Delivery,
  EventContext,
  EventPage,
  LogItem,
  LogPage,
  RecordedInLog,
  StoredEvent,
  StreamPageRequest,
  Subscriptions,
  UnreadableEvent,
} from '@app/ports';

export const TENANT = TenantId('acme');
export const SESSION = SessionId('s-1');
const STREAM = sessionStream(TENANT, SESSION);
const EPOCH_MS = Date.UTC(2026, 0, 1);

type Stored = {
  readonly position: LogPosition;
  readonly recorded?: RecordedInLog<StoredEvent>;
  readonly unreadable?: UnreadableEvent;
};
export type CatchUpHook = (
  item: LogItem<StoredEvent>,
  items: number,
  subscription: number,
) => Promise<void> | void;

/** An in-memory log with gaps between positions, positions above 2^53, and foreign events. */
export class ScriptedLog implements Subscriptions {
  /** Called before each item: may throw, wait, or cause failures. */
  beforeItem: CatchUpHook = () => {};
  /** Signal by which a new subscription reports that it has reached the end. */
  announces: 'caught-up' | 'checkpoint' = 'caught-up';
  /** The number of already delivered events that are redelivered. */
  redelivers = 0;
  subscriptions = 0;
  /** The recording time of event `number` in ms, possibly skewed. */
  clock = (number: number): number => EPOCH_MS + number * 1_000;
  readonly #stored: Stored[] = [];
  readonly #revisions = new Map<string, number>();
  #grown: (() => void)[] = [];

  append(
    events: readonly StoredEvent[],
    stream: StreamName = STREAM,
    context: Partial<EventContext> = {},
  ): LogPosition {
    for (const event of events) {
      const revision = this.#revisions.get(stream) ?? 0;
      this.#revisions.set(stream, revision + 1);
      const position = this.#nextPosition();
      const recorded = {
        id: randomUUID(),
        stream,
        revision: Revision(revision),
        position,
        recordedAt: IsoTime(new Date(this.clock(this.#stored.length))),
        context: { actor: Actor('key-7'), correlationId: 'turn-1', ...context },
        event,
      };
      this.#stored.push({ position, recorded });
    }
    this.#announceGrowth();
    return this.last();
  }

  /** Appends an unreadable event. */
  appendUnreadable(type = 'MessageAppended', stream: StreamName = STREAM): LogPosition {
    const revision = Revision(this.#revisions.get(stream) ?? 0);
    this.#revisions.set(stream, Revision(revision + 1));
    const position = this.#nextPosition();
    const error = new AppError('corrupt-event', `event ${revision} of ${stream} is foreign`);
    this.#stored.push({ position, unreadable: { stream, revision, position, type, error } });
    this.#announceGrowth();
    return position;
  }

  /** Appends an event to a stream without session. */
  appendForeign(): LogPosition {
    this.#stored.push({ position: this.#nextPosition() });
    this.#announceGrowth();
    return this.last();
  }

  get events(): readonly RecordedInLog[] {
    return this.#stored.flatMap(({ recorded }) => (recorded && isOfSession(recorded) ? recorded : []));
  }

  last(): LogPosition {
    const last = this.#stored.at(-1);
    if (!last) throw new Error('the log is empty');
    return last.position;
  }

  head(): Promise<LogPosition | 'start'> {
    return Promise.resolve(this.#stored.at(-1)?.position ?? 'start');
  }

  async *catchUpAll(after: LogPosition | 'start', signal: AbortSignal): AsyncIterable<LogItem<StoredEvent>> {
    this.subscriptions += 1;
    const subscription = this.subscriptions;
    let count = 0;
    for await (const item of this.#items(after, signal)) {
      count += 1;
      await this.beforeItem(item, count, subscription);
      if (signal.aborted) return;
      yield item;
    }
  }

  catchUp(): AsyncIterable<LogItem> {
    throw new Error('a projector does not use this method');
  }

  async *catchUpTenants(
    after: LogPosition | 'start',
    signal: AbortSignal,
  ): AsyncIterable<LogItem<TenantEvent>> {
    for await (const item of this.catchUpAll(after, signal)) {
      if (item.kind !== 'event') yield item;
      else if (isOfTenant(item.recorded)) yield { kind: 'event', recorded: item.recorded };
    }
  }

  async streamPage({ stream, from, limit }: StreamPageRequest): Promise<EventPage> {
    const found = this.#stored.filter(
      ({ recorded, unreadable, position }) =>
        position >= from && (recorded?.stream === stream || unreadable?.stream === stream),
    );
    const items = found.slice(0, limit).flatMap(({ recorded, unreadable }): EventPage['items'] => {
      if (recorded) return [{ kind: 'event', recorded }];
      return unreadable ? [{ kind: 'unreadable', unreadable }] : [];
    });
    return { items, next: found[limit]?.position };
  }

  page(): Promise<LogPage> {
    throw new Error('a projector does not use this method');
  }

  durable(): AsyncIterable<Delivery> {
    throw new Error('a projector does not use this method');
  }

  async *#items(after: LogPosition | 'start', signal: AbortSignal): AsyncIterable<LogItem<StoredEvent>> {
    let isLive = false;
    const first = this.#stored.findIndex(({ position }) => after === 'start' || position > after);
    let next = first < 0 ? this.#stored.length : first;
    next = Math.max(0, next - this.redelivers);
    while (!signal.aborted) {
      const stored = this.#stored[next];
      if (stored) {
        next += 1;
        if (stored.recorded) yield { kind: 'event', recorded: stored.recorded };
        if (stored.unreadable) yield { kind: 'unreadable', unreadable: stored.unreadable };
        continue;
      }
      if (!isLive) {
        isLive = true;
        const last = this.#stored.at(-1);
        if (this.announces === 'caught-up') yield { kind: 'caught-up' };
        else if (last) yield { kind: 'checkpoint', position: last.position };
        continue;
      }
      await this.#growth(signal);
    }
  }

  #nextPosition(): LogPosition {
    return LogPosition(2n ** 60n + BigInt(this.#stored.length) * 131n);
  }

  #announceGrowth(): void {
    for (const wake of this.#grown.splice(0)) wake();
  }

  #growth(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#grown.push(wake);
      signal.addEventListener('abort', wake);
    });
  }
}

const isOfTenant = (recorded: RecordedInLog<StoredEvent>): recorded is RecordedInLog<TenantEvent> =>
  isTenantEventType(recorded.event.type);
const isOfSession = (one: RecordedInLog<StoredEvent>): one is RecordedInLog<SessionEvent> =>
  isSessionEventType(one.event.type);
