import type { SessionEventType, TenantEvent } from '@app/domain';
import { isUnreadable, LogPosition, Revision, type StreamName, sessionOf, sessionStream } from '@app/kernel';
import {
  DELIVERY_TIMEOUT_MS,
  type Delivery,
  type EventItem,
  type EventPage,
  type LogItem,
  type LogPage,
  type LogPageRequest,
  type LogScope,
  type RecordedInLog,
  type StoredEvent,
  type StreamPageRequest,
  type Subscriptions,
} from '@app/ports';
import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  eventTypeFilter,
  PARK,
  PersistentSubscriptionExistsError,
  persistentSubscriptionToAllSettingsFromDefaults,
  RETRY,
  START,
} from '@eventstore/db-client';
import { decode, type Stores } from './codec/codec.js';
import { type ParseEvent, parseSessionEvent, parseStoredEvent, parseTenantEvent } from './codec/schema.js';
import { portError } from './errors.js';
import { type ReadOfAll, readAll } from './reads/all-reads.js';
import { Feed } from './reads/feed.js';
import { sharedAnswers } from './reads/shared-answers.js';
import { subscribed } from './reads/subscribed.js';
import { repeated } from './repeated.js';
import { type LogRecord, LogRecords } from './wire/read-answer.js';

const SESSIONS = ['session-'];
const TENANTS = ['tenant-'];
/** All streams of ours. */
export const ALL = [...SESSIONS, ...TENANTS, 'reads-', 'erasures-'];
/** Far more than waiting in turn takes: each time that it lasts too long is one. Beyond it the log sets an event aside. */
const DELIVERIES_MAX = 2_000;

const throwAsPort = (error: unknown): never => {
  throw portError(error);
};

export class EventStoreDbSubscriptions implements Subscriptions {
  private readonly newest = sharedAnswers(() => this.readNewest());

  constructor(
    private readonly client: EventStoreDBClient,
    private readonly stores: Stores,
  ) {}

  head(): Promise<LogPosition | 'start'> {
    return this.newest().catch(throwAsPort);
  }

  catchUp(after: LogPosition | 'start', signal: AbortSignal): AsyncIterable<LogItem> {
    return this.follow({ prefixes: SESSIONS, parse: parseSessionEvent }, after, signal);
  }

  catchUpTenants(after: LogPosition | 'start', signal: AbortSignal): AsyncIterable<LogItem<TenantEvent>> {
    return this.follow({ prefixes: TENANTS, parse: parseTenantEvent }, after, signal);
  }

  catchUpAll(after: LogPosition | 'start', signal: AbortSignal): AsyncIterable<LogItem<StoredEvent>> {
    return this.follow({ prefixes: ALL, parse: parseStoredEvent, sealed: 'MessageAppended' }, after, signal);
  }

  private async *follow<Evt extends StoredEvent>(
    { prefixes, ...form }: Followed<Evt>,
    after: LogPosition | 'start',
    signal: AbortSignal,
  ): AsyncIterable<LogItem<Evt>> {
    for await (const batch of subscribed(this.client, prefixes, after, signal))
      for (const next of batch) {
        if (signal.aborted) return;
        if ('mark' in next) yield next.mark;
        else yield this.itemOf(next.item, form);
      }
  }

  async *durable(
    group: string,
    types: readonly SessionEventType[],
    signal: AbortSignal,
    held = 1,
    onParked: (error: unknown) => void = () => {},
  ): AsyncIterable<Delivery> {
    if (signal.aborted) return;
    await this.ensureGroup(group, types);
    const subscription = this.client.subscribeToPersistentSubscriptionToAll(group, { bufferSize: held });
    const feed = new Feed<PersistentEvent>(subscription, () => subscription.unsubscribe(), signal);
    try {
      for await (const resolved of feed.items()) {
        if (!resolved.event || sessionOf(resolved.event.streamId) === undefined) {
          await subscription.ack(resolved);
          continue;
        }
        let recorded: Delivery['recorded'];
        try {
          recorded = await this.recorded(resolved.event, { parse: parseSessionEvent });
        } catch (error) {
          if (!isUnreadable(error)) throw error;
          // Ending the subscription for it would cancel the call, and the server may then not see that the event is parked.
          await subscription.nack(PARK, 'corrupt-event', resolved);
          onParked(error);
          continue;
        }
        yield {
          recorded,
          retries: resolved.retryCount ?? 0,
          ack: () => subscription.ack(resolved),
          retry: (reason) => subscription.nack(RETRY, reason, resolved),
          park: (reason) => subscription.nack(PARK, reason, resolved),
        };
      }
    } catch (error) {
      if (!signal.aborted) throw portError(error);
    }
  }

  page(request: LogPageRequest, signal: AbortSignal): Promise<LogPage> {
    return repeated(
      () => this.readPage(request, signal),
      () => signal.aborted,
    ).catch(throwAsPort);
  }

  private async readPage({ after, scope, limit }: LogPageRequest, signal: AbortSignal): Promise<LogPage> {
    const head = await this.newest();
    const { prefix, only } = within(scope);
    const items: EventItem[] = [];
    let reached = after;
    let taken = 0;
    // The position itself is included if it belongs to one of these streams: one more event is read.
    const read = { from: after, prefixes: [prefix], count: limit + 1 };
    for await (const event of this.recordsIn(read, signal)) {
      if (taken === limit) continue;
      const position = LogPosition(event.position.commit);
      if (position === after) continue;
      taken += 1;
      reached = position;
      if (only === undefined || event.streamId === only)
        items.push(await this.itemOf(event, { parse: parseSessionEvent }));
    }
    signal.throwIfAborted();
    const isFull = taken === limit;
    return { items, reached: isFull ? reached : laterOf(head, reached), isFull };
  }

  streamPage(request: StreamPageRequest, signal: AbortSignal): Promise<EventPage> {
    return repeated(
      () => this.readStreamPage(request, signal),
      () => signal.aborted,
    ).catch(throwAsPort);
  }

  private async readStreamPage(
    { stream, from, limit }: StreamPageRequest,
    signal: AbortSignal,
  ): Promise<EventPage> {
    const items: EventPage['items'][number][] = [];
    let next: LogPosition | undefined;
    // The name of a stream is also the beginning of others': they are left out, and the rest is asked for again.
    for (let at: LogPosition | undefined = from; at !== undefined && next === undefined; ) {
      const read = { from: at, prefixes: [stream], count: limit + 1 };
      let count = 0;
      let last: LogPosition | undefined;
      for await (const event of this.recordsIn(read, signal)) {
        count += 1;
        last = LogPosition(event.position.commit);
        if (event.streamId !== stream || next !== undefined || (count === 1 && at !== from)) continue;
        if (items.length === limit) next = last;
        else items.push(await this.itemOf(event, { parse: parseStoredEvent }));
      }
      at = count > limit ? last : undefined;
    }
    signal.throwIfAborted();
    return { items, next };
  }

  private async *recordsIn(read: ReadOfAll, signal: AbortSignal): AsyncIterable<LogRecord> {
    const records = new LogRecords();
    for await (const answers of readAll(this.client, read, signal))
      for (const answer of answers) {
        const record = records.recordIn(answer);
        if (record) yield record;
      }
  }

  /** To its end: a call that is cancelled is one that servers count against the connection. */
  private async readNewest(): Promise<LogPosition | 'start'> {
    let newest: LogPosition | 'start' = 'start';
    const last = this.client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 });
    const feed = new Feed<AllStreamResolvedEvent>(last, () => last.cancel());
    for await (const { event } of feed.items()) if (event) newest = LogPosition(event.position.commit);
    return newest;
  }

  private async ensureGroup(group: string, types: readonly SessionEventType[]): Promise<void> {
    const settings = persistentSubscriptionToAllSettingsFromDefaults({
      startFrom: START,
      messageTimeout: DELIVERY_TIMEOUT_MS,
      maxRetryCount: DELIVERIES_MAX,
    });
    const regex = `^(${types.join('|')})$`;
    try {
      await this.client.createPersistentSubscriptionToAll(group, settings, {
        filter: eventTypeFilter({ regex }),
      });
    } catch (error) {
      if (!(error instanceof PersistentSubscriptionExistsError)) throw portError(error);
    }
  }

  private async itemOf<Evt extends StoredEvent>(
    event: LogRecord,
    form: Form<Evt>,
  ): Promise<Extract<LogItem<Evt>, { kind: 'event' | 'unreadable' }>> {
    try {
      return { kind: 'event', recorded: await this.recorded(event, form) };
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      return { kind: 'unreadable', unreadable: { ...placeOf(event), type: event.type, error } };
    }
  }

  private async recorded<Evt extends StoredEvent>(
    event: LogRecord,
    { parse, sealed }: Form<Evt>,
  ): Promise<RecordedInLog<Evt>> {
    const { id } = event;
    const { stream, revision, position } = placeOf(event);
    const { event: decoded, context, recordedAt } = await decode(event, this.stores, parse, sealed);
    return { id, stream, revision, position, event: decoded, context, recordedAt };
  }
}

const placeOf = ({ streamId, revision, position }: LogRecord) => ({
  // The filter lets streams of ours pass alone.
  stream: streamId as StreamName,
  revision: Revision(Number(revision)),
  position: LogPosition(position.commit),
});

const laterOf = (one: LogPosition | 'start', other: LogPosition | 'start'): LogPosition | 'start' =>
  one === 'start' || (other !== 'start' && other > one) ? other : one;

/** A session's stream name may be a prefix of others: `only` filters them. */
const within = ({ tenant, session }: LogScope): { readonly prefix: string; readonly only?: StreamName } => {
  if (session === undefined) return { prefix: `session-${tenant}.` };
  const only = sessionStream(tenant, session);
  return { prefix: only, only };
};

/** How events are decoded. */
type Form<Evt extends StoredEvent> = {
  readonly parse: ParseEvent<Evt>;
  /** The type of events whose content stays sealed. */
  readonly sealed?: Evt['type'];
};
/** Stream name prefixes, and the events of those streams. */
type Followed<Evt extends StoredEvent> = Form<Evt> & { readonly prefixes: string[] };

/** A delivery of a persistent subscription: the event, and its retry count. */
type PersistentEvent = AllStreamResolvedEvent & { readonly retryCount?: number };
