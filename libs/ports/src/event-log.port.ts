import type { SessionEvent } from '@app/domain';
import type { Actor, IsoTime, LogPosition, Revision, StreamName } from '@app/kernel';

/** Where an event came from: on every event, beside its facts. */
export type EventContext = {
  readonly actor: Actor;
  /** The turn, or the whole operation, that the event belongs to. */
  readonly correlationId: string;
  /** The event that caused it, by its id. */
  readonly causationId?: string;
  readonly traceparent?: string;
};

/** An event with its place in its stream, and the time that this service, not the log's clock, gave it. */
export type Recorded = {
  readonly id: string;
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly recordedAt: IsoTime;
  readonly context: EventContext;
  readonly event: SessionEvent;
};
/** An event with its place in the whole log. */
export type RecordedInLog = Recorded & { readonly position: LogPosition };

/** The stream as the writer last saw it: its newest revision, or that there was none. */
export type ExpectedRevision = Revision | 'no-stream';

/** An event to be recorded. The same id is the same event: an append that is repeated is one append. */
export type NewEvent = { readonly id: string; readonly event: SessionEvent };

/**
 * The log of all sessions: the truth.
 *
 * `append` returns once the events are on disk. Content over the log's size limit goes to the blob store first and
 * comes back whole: callers never see that limit. An append whose outcome is unknown is repeated with the same ids.
 * Reads are inclusive of `from`, and yield nothing for a stream that does not exist.
 *
 * @throws {ConflictError} where the stream is not at the expected revision.
 * @throws {AppError} `event-store-unavailable`, `disk-full`, `append-too-large`, `corrupt-event`.
 */
export interface EventLog {
  append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    context: EventContext,
  ): Promise<Revision>;
  readForwards(stream: StreamName, options?: { from?: Revision; limit?: number }): AsyncIterable<Recorded>;
  readBackwards(stream: StreamName, options?: { from?: Revision; limit?: number }): AsyncIterable<Recorded>;
}

/** Another writer was faster: load, decide anew. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}
