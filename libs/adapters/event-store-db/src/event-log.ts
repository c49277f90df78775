import { setTimeout as pause } from 'node:timers/promises';
import { AppError, Revision, type StreamName } from '@app/kernel';
import type {
  BlobStore,
  Clock,
  EventContext,
  EventLog,
  ExpectedRevision,
  NewEvent,
  Recorded,
} from '@app/ports';
import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  NO_STREAM,
  type ResolvedEvent,
  START,
  StreamNotFoundError,
} from '@eventstore/db-client';
import { decode, type Encoded, encode } from './codec/codec.js';
import { isAmbiguous, portError } from './errors.js';
import { Feed } from './feed.js';

/** Data and metadata of one append, in bytes: under the 1 MiB that servers accept by default. */
const APPEND_MAX = 900 * 1_024;
/** What metadata, names and framing of an event take, beside its data. */
const OVERHEAD = 2_048;
/** Pauses before an append whose outcome is unknown is repeated. */
const RETRY_AFTER_MS = [50, 250, 1_000];

type Range = { readonly from?: Revision; readonly limit?: number };

/** The log on any server of EventStoreDB's protocol. One client appends for the whole process (event-store-facts 1). */
export class EventStoreDbLog implements EventLog {
  constructor(
    private readonly client: EventStoreDBClient,
    private readonly blobs: BlobStore,
    private readonly clock: Clock,
  ) {}

  async append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    context: EventContext,
  ): Promise<Revision> {
    const encoded = await this.encodeAll(stream, events, context);
    for (const wait of [...RETRY_AFTER_MS, undefined]) {
      try {
        const expectedRevision = expected === 'no-stream' ? NO_STREAM : BigInt(expected);
        const { nextExpectedRevision } = await this.client.appendToStream(stream, encoded, {
          expectedRevision,
        });
        return Revision(Number(nextExpectedRevision));
      } catch (error) {
        // The same ids at the same revision: whatever became of the first try, it is recorded once.
        if (wait === undefined || !isAmbiguous(error)) throw portError(error);
        await pause(wait);
      }
    }
    throw new AppError('event-store-unavailable', 'the event store does not answer: is it running?');
  }

  readForwards(stream: StreamName, { from, limit }: Range = {}): AsyncIterable<Recorded> {
    const fromRevision = from === undefined ? START : BigInt(from);
    return this.read(stream, { direction: FORWARDS, fromRevision, ...(limit && { maxCount: limit }) });
  }

  readBackwards(stream: StreamName, { from, limit }: Range = {}): AsyncIterable<Recorded> {
    const fromRevision = from === undefined ? END : BigInt(from);
    return this.read(stream, { direction: BACKWARDS, fromRevision, ...(limit && { maxCount: limit }) });
  }

  private async encodeAll(
    stream: StreamName,
    events: readonly NewEvent[],
    context: EventContext,
  ): Promise<Encoded[]> {
    const now = this.clock.now();
    const share = Math.floor(APPEND_MAX / Math.max(1, events.length)) - OVERHEAD;
    const whole = await Promise.all(
      events.map((event) => encode(event, stream, context, now, APPEND_MAX - OVERHEAD, this.blobs)),
    );
    if (sizeOfAll(whole) <= APPEND_MAX) return whole;
    // Together they are too large: each gets an equal share, and gives its longest strings to the blob store.
    return Promise.all(events.map((event) => encode(event, stream, context, now, share, this.blobs)));
  }

  private async *read(
    stream: StreamName,
    options: NonNullable<Parameters<EventStoreDBClient['readStream']>[1]>,
  ): AsyncIterable<Recorded> {
    try {
      const events = this.client.readStream(stream, options);
      const feed = new Feed<ResolvedEvent>(events, () => events.cancel());
      for await (const { event } of feed.items()) {
        if (!event) continue;
        const revision = Revision(Number(event.revision));
        const { type, data, metadata, id } = event;
        const decoded = await decode(
          { type, data, metadata, place: `event ${revision} of ${stream}` },
          this.blobs,
        );
        yield { id, stream, revision, ...decoded };
      }
    } catch (error) {
      if (error instanceof StreamNotFoundError) return;
      throw portError(error);
    }
  }
}

const sizeOfAll = (events: readonly Encoded[]): number =>
  events.reduce((sum, { data, metadata }) => sum + Buffer.byteLength(JSON.stringify([data, metadata])), 0);
