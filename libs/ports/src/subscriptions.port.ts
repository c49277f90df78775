import type { SessionEvent, SessionEventType, TenantEvent } from '@app/domain';
import type { AppError, LogPosition, Revision, SessionId, StreamName, TenantId } from '@app/kernel';
import type { RecordedInLog, StoredEvent } from './event-log.port.js';

/** An event that this version cannot read: damaged, of a later version, or of another program. */
export type UnreadableEvent = {
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: LogPosition;
  /** The stored type, possibly unknown. */
  readonly type: string;
  /** `corrupt-event`. */
  readonly error: AppError;
};

/**
 * An item of a full read of the log: an event, an unreadable event, a position past skipped events, or the end of the
 * log. Each reader decides how to handle unreadable events; the read continues.
 */
export type LogItem<Evt extends StoredEvent = SessionEvent> =
  | { readonly kind: 'event'; readonly recorded: RecordedInLog<Evt> }
  | { readonly kind: 'unreadable'; readonly unreadable: UnreadableEvent }
  | { readonly kind: 'checkpoint'; readonly position: LogPosition }
  | { readonly kind: 'caught-up' };

/** An event of a session, or the place of one that cannot be read. */
export type EventItem = Extract<LogItem, { kind: 'event' | 'unreadable' }>;

/** A page request: events of `scope` after `after`, up to a limit. */
export type LogPageRequest = {
  readonly after: LogPosition | 'start';
  readonly scope: LogScope;
  readonly limit: number;
};
/** A page of the log, in log order. */
export type LogPage = {
  readonly items: readonly EventItem[];
  /** Everything of the scope behind the place that was asked for, up to this one, is among the items. */
  readonly reached: LogPosition | 'start';
  /** Whether it ends where it does because of the limit: then it is the same whenever it is read. */
  readonly isFull: boolean;
};

/** Range of one stream's events to read: from one of them on, inclusive. */
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
 * Deliveries without an answer are given to another subscriber after this time, in milliseconds; at once if the
 * connection ends.
 */
export const DELIVERY_TIMEOUT_MS = 900_000;

/** An event that a durable subscription delivers, until it is acknowledged. */
export type Delivery = {
  readonly recorded: RecordedInLog;
  /** Number of earlier deliveries. */
  readonly retries: number;
  ack(): Promise<void>;
  /** Asks for the event again, at once. */
  retry(reason: string): Promise<void>;
  /** Parks the event: it is not delivered again until parked events are replayed. */
  park(reason: string): Promise<void>;
};

/**
 * Subscriptions to all sessions and tenants. They end when `signal` aborts, and throw `AppError`
 * `event-store-unavailable` if the log is unreachable: the caller resumes from its stored checkpoint.
 */
export interface Subscriptions {
  /** Everything recorded of sessions after `after` in the order of the log, then live. */
  catchUp(after: LogPosition | 'start', signal: AbortSignal): AsyncIterable<LogItem>;
  /**
   * Reads the next page once, unlike a subscription. A page that is not full contains everything recorded before this
   * call.
   */
  page(request: LogPageRequest, signal: AbortSignal): Promise<LogPage>;
  /** Events of one stream of ours, read once. Everything that was recorded before this call is in it, or behind `next`. */
  streamPage(request: StreamPageRequest, signal: AbortSignal): Promise<EventPage>;
  /** Reads as `catchUp` does, for settings and keys of tenants, without recorded reads. */
  catchUpTenants(after: LogPosition | 'start', signal: AbortSignal): AsyncIterable<LogItem<TenantEvent>>;
  /**
   * As `catchUp`, of everything that is ever recorded. The content of messages may stay sealed: readers use only types, call IDs
   * and tool names of their blocks.
   */
  catchUpAll(after: LogPosition | 'start', signal: AbortSignal): AsyncIterable<LogItem<StoredEvent>>;
  /**
   * Delivers events of `types` at least once each, shared among all subscribers of `group`. The log stores the group
   * and its checkpoint, so that a crash loses nothing; the group is created if missing. An unreadable event is parked and
   * reported to `onParked`, and the subscription goes on.
   *
   * @param held maximum of unacknowledged deliveries per subscriber. Default 1.
   */
  durable(
    group: string,
    types: readonly SessionEventType[],
    signal: AbortSignal,
    held?: number,
    onParked?: (error: unknown) => void,
  ): AsyncIterable<Delivery>;
  /** Where the log ends now: everything recorded before this call stands at or before it. */
  head(): Promise<LogPosition | 'start'>;
}
