import type { SessionEvent, TenantEvent } from '@app/domain';
import type { Actor, IsoTime, LogPosition, Revision, StreamName, Tokens } from '@app/kernel';

/** The origin of an event, stored beside its data. */
export type EventContext = {
  readonly actor: Actor;
  /** The turn, or the whole operation, that the event belongs to. */
  readonly correlationId: string;
  /** The event that caused it, by its id. */
  readonly causationId?: string;
  readonly traceparent?: string;
  /**
   * Billed tokens of the session's next request after the event: set on the last event of each command. The only
   * source of occupancy for rows and watches.
   */
  readonly occupancy?: Tokens;
};

/** All stored events. Type names are distinct, so that a type identifies its union. */
export type StoredEvent = SessionEvent | TenantEvent;

/** An event with its place in its stream, and the time that this service, not the log's clock, gave it. */
export type Recorded<Evt extends StoredEvent = SessionEvent> = {
  readonly id: string;
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly recordedAt: IsoTime;
  readonly context: EventContext;
  readonly event: Evt;
};
/** An event with its place in the whole log. */
export type RecordedInLog<Evt extends StoredEvent = SessionEvent> = Recorded<Evt> & {
  readonly position: LogPosition;
};

/**
 * The stream's newest revision according to the writer, or `no-stream`; `any` for events without a decision, such as
 * recorded reads.
 */
export type ExpectedRevision = Revision | 'no-stream' | 'any';

/** An event to be recorded. The same id is the same event: an append that is repeated is one append. */
export type NewEvent<Evt extends StoredEvent = SessionEvent> = {
  readonly id: string;
  readonly event: Evt;
  /** Set if it differs from that of the append. */
  readonly correlationId?: string;
  /** Occupancy of the session after the event: see `EventContext`. */
  readonly occupancy?: Tokens;
};

/**
 * An append-only log of streams, the source of truth. A stream contains events of one kind.
 *
 * `append` returns once the events are on disk. Content over the log's size limit is moved to the blob store and
 * restored on read: callers never see that limit. An append with an unknown outcome is retried with the same ids. An
 * append may follow one that is still in flight: it is rejected if that one fails. Reads include `from`, and yield
 * nothing for a missing stream.
 *
 * @throws {ConflictError} if the stream is not at the expected revision.
 * @throws {AppError} `event-store-unavailable`, `disk-full`, `append-too-large`, `corrupt-event`.
 */
export interface EventLog<Evt extends StoredEvent = SessionEvent> {
  append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly NewEvent<Evt>[],
    context: EventContext,
  ): Promise<Revision>;
  readForwards(stream: StreamName, options?: ReadRange): AsyncIterable<Recorded<Evt>>;
  readBackwards(stream: StreamName, options?: ReadRange): AsyncIterable<Recorded<Evt>>;
}
type ReadRange = { from?: Revision; limit?: number };

/** The log of all tenants: settings, keys, and reads of their records. */
export type TenantLog = EventLog<TenantEvent>;

/** Another writer has appended events that reads already return: reload and decide again. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}
