import type { SessionEvent, SessionEventType, TenantEvent } from '@app/domain';
import type { AppError, LogPosition, Revision, SessionId, StreamName, TenantId } from '@app/kernel';
import type { RecordedInLog, StoredEvent } from './event-log.port.js';

/** An event that this version cannot read: damaged, of a later version, or somebody else's in a stream of ours. */
export type UnreadableEvent = {
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: LogPosition;
  /** As the log has it: perhaps none of ours. */
  readonly type: string;
  /** `corrupt-event`. */
  readonly error: AppError;
};

/**
 * What a reader of the whole log meets: an event, one that nobody here can read, how far it has read past others, or that
 * it has reached the end. What to do about an event that cannot be read is each reader's to decide: the log goes on.
 */
export type LogItem<Evt extends StoredEvent = SessionEvent> =
  | { readonly kind: 'event'; readonly recorded: RecordedInLog<Evt> }
  | { readonly kind: 'unreadable'; readonly unreadable: UnreadableEvent }
  | { readonly kind: 'checkpoint'; readonly position: LogPosition }
  | { readonly kind: 'caught-up' };

/** An event of a session, or the place of one that cannot be read. */
export type EventItem = Extract<LogItem, { kind: 'event' | 'unreadable' }>;

/** Which events are read, at most: those of `scope` behind `after`. */
export type LogPageRequest = {
  readonly after: LogPosition | 'start';
  readonly scope: LogScope;
  readonly limit: number;
};
/** A part of what is recorded, in the order of the log. */
export type LogPage = {
  readonly items: readonly EventItem[];
  /** Everything of the scope behind the place that was asked for, up to this one, is among the items. */
  readonly reached: LogPosition | 'start';
  /** Whether it ends where it does because of the limit: then it is the same whenever it is read. */
  readonly isFull: boolean;
};

/** Which events of one stream are read: from the place of one of them on, inclusive. */
export type StreamPageRequest = {
  readonly stream: StreamName;
  readonly from: LogPosition;
  /** From 1 on. */
  readonly limit: number;
};
/** Events of one stream in their order, with their places in the log. */
export type EventPage = {
  readonly items: readonly Extract<LogItem<StoredEvent>, { kind: 'event' | 'unreadable' }>[];
  /** Where the next page begins; `undefined` at the end of the stream. */
  readonly next: LogPosition | undefined;
};

/** A part of the log: one tenant's sessions, or one of them. */
export type LogScope = { readonly tenant: TenantId; readonly session?: SessionId };

/**
 * Who has not answered for a delivery so long counts as hung: the log gives it to another. What somebody holds whose
 * connection ends, it gives to another at once.
 */
export const DELIVERY_TIMEOUT_MS = 900_000;

/** An event that a durable subscription delivers, until it is acknowledged. */
export type Delivery = {
  readonly recorded: RecordedInLog;
  /** How often it has been delivered before. */
  readonly retries: number;
  ack(): Promise<void>;
  /** Asks for the event again, at once. */
  retry(reason: string): Promise<void>;
  /** Sets the event aside: it is not delivered again until somebody replays what is parked. */
  park(reason: string): Promise<void>;
};

/**
 * Subscriptions to all sessions and tenants. They end when `signal` aborts, and throw `AppError` `event-store-unavailable`
 * when the log goes away: whoever runs them resumes from the stored checkpoint.
 */
export interface Subscriptions {
  /** Everything recorded of sessions after `after` in the order of the log, then live. */
  catchUp(after: LogPosition | 'start', signal: AbortSignal): AsyncIterable<LogItem>;
  /**
   * The next of what is recorded, read once: unlike a subscription it ends by itself. Where it is not full, everything
   * recorded before this call is in it.
   */
  page(request: LogPageRequest, signal: AbortSignal): Promise<LogPage>;
  /** Events of one stream of ours, read once. Everything that was recorded before this call is in it, or behind `next`. */
  streamPage(request: StreamPageRequest, signal: AbortSignal): Promise<EventPage>;
  /** As `catchUp`, of tenants' settings and keys, without who has read what. */
  catchUpTenants(after: LogPosition | 'start', signal: AbortSignal): AsyncIterable<LogItem<TenantEvent>>;
  /** As `catchUp`, of everything that is ever recorded. */
  catchUpAll(after: LogPosition | 'start', signal: AbortSignal): AsyncIterable<LogItem<StoredEvent>>;
  /**
   * Events of `types`, at least once each, shared among all who subscribe under `group`. The group and its position
   * are the log's own, so that a crash loses nothing; it is created where it does not exist.
   *
   * @param held as many deliveries as whoever subscribes may have that it has not answered for; one where nothing is said.
   */
  durable(
    group: string,
    types: readonly SessionEventType[],
    signal: AbortSignal,
    held?: number,
  ): AsyncIterable<Delivery>;
  /** Where the log ends now: everything recorded before this call stands at or before it. */
  head(): Promise<LogPosition | 'start'>;
}
