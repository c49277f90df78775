import { setTimeout as pause } from 'node:timers/promises';
import { AppError, invariant, Revision, Slices, type StreamName } from '@app/kernel';
import {
  type Clock,
  ConflictError,
  type EventContext,
  type EventLog,
  type ExpectedRevision,
  type NewEvent,
  type Recorded,
  type StoredEvent,
} from '@app/ports';
import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type ResolvedEvent,
  START,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { LIGHTEST } from './codec/claim-check.js';
import {
  decode,
  encode,
  type Metadata,
  metadataOf,
  type Payload,
  payloadOf,
  type Stores,
} from './codec/codec.js';
import type { ParseEvent } from './codec/schema.js';
import { isAmbiguous, portError } from './errors.js';
import { Feed } from './reads/feed.js';
import { answerWithin, REPEATED_AFTER_MS, repeated } from './repeated.js';

import type { Room } from './room.js';
import type { Appends, Encoded } from './wire/appends.js';

/** Data and metadata of one append, in bytes: under the 1 MiB that servers accept by default. */
const APPEND_MAX = 900 * 1_024;
/** Bytes of an event's names, ids and framing, besides data and metadata. */
const FRAMING = 256;
/** Append timeout: the client has none, and servers answer within ten seconds. */
const ANSWER_WITHIN_MS = 15_000;
/**
 * Deadline of appends. The client sends it as an absolute time of its own clock, and servers reject expired appends:
 * with the default of ten seconds, a clock eleven seconds behind the server's would fail every append. A day allows
 * for any skew.
 */
const DEADLINE_MS = 86_400_000;

/**
 * Events of a read that is left to its end although its reader has gone. A call that is cancelled is a reset stream to the
 * server, and servers end a connection on which there are many: Node's after about a thousand, with 33 more each second.
 */
const DRAINED_MAX = 512;
/** Delays before an append is repeated whose refusal reads do not explain. */
const SHOWN_AFTER_MS = [1, 5, 20, 50, 100, 200, 400];
/** Events of the first page of a read that may go back to the start. */
const PAGE_MIN = 32;

/** An append, the revision that it leaves if it is recorded, and whether it has been in the end. */
type UnderWay = { readonly leaves: Revision | undefined; readonly isRecorded: Promise<boolean> };

type ReadOptions = NonNullable<Parameters<EventStoreDBClient['readStream']>[1]>;
type Range = { readonly from?: Revision; readonly limit?: number };

/** The log on any server of EventStoreDB's protocol. One client appends for the whole process. */
export class EventStoreDbLog<Evt extends StoredEvent> implements EventLog<Evt> {
  /** The append to each stream that was asked for last. */
  private readonly underWay = new Map<StreamName, UnderWay>();
  private isClosed = false;

  constructor(
    private readonly client: Pick<EventStoreDBClient, 'readStream'>,
    private readonly appends: Pick<Appends, 'append'>,
    private readonly stores: Stores,
    private readonly clock: Clock,
    private readonly parse: ParseEvent<Evt>,
    private readonly room?: Pick<Room, 'recorded' | 'refused'>,
  ) {}

  async append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly NewEvent<Evt>[],
    context: EventContext,
  ): Promise<Revision> {
    const before = this.underWay.get(stream);
    const encoding = this.encodeAll(stream, events, context);
    const appending = (async () => {
      const encoded = await encoding;
      // Servers check revisions before earlier appends are written: a dependent append waits for its predecessor.
      if (before?.leaves === expected && !(await before.isRecorded))
        throw new ConflictError('what it builds on was not recorded');
      return this.send(stream, expected, encoded);
    })();
    const isRecorded = appending.then(
      () => true,
      () => false,
    );
    const own = { leaves: leftBy(expected, events.length), isRecorded };
    this.underWay.set(stream, own);
    try {
      return await appending;
    } finally {
      if (this.underWay.get(stream) === own) this.underWay.delete(stream);
    }
  }

  private async send(
    stream: StreamName,
    expected: ExpectedRevision,
    encoded: readonly Encoded[],
  ): Promise<Revision> {
    try {
      // Equal ids at the same revision: a retry never records an event twice.
      const revision = await this.untilShown(stream, expected, () =>
        repeated(
          () => answerWithin(ANSWER_WITHIN_MS, this.appends.append(stream, encoded, expected, DEADLINE_MS)),
          () => this.isClosed,
        ),
      );
      this.room?.recorded();
      return Revision(Number(revision));
    } catch (error) {
      const mapped = portError(error);
      this.room?.refused(mapped);
      throw mapped;
    }
  }

  /**
   * Repeats a refused append while reads show the expected revision. EventStoreDB checks revisions before it indexes events: its
   * refusals can be ahead of its reads, and also behind them. A caller that reloads would decide again on the same state.
   */
  private async untilShown(
    stream: StreamName,
    expected: ExpectedRevision,
    append: () => Promise<bigint>,
  ): Promise<bigint> {
    for (const wait of SHOWN_AFTER_MS) {
      try {
        return await append();
      } catch (error) {
        if (!(error instanceof WrongExpectedVersionError)) throw error;
        if (this.isClosed || (await this.newestOf(stream)) !== expected) throw error;
        await pause(wait);
      }
    }
    return append();
  }

  /** Returns `undefined` if the read fails. */
  private async newestOf(stream: StreamName): Promise<ExpectedRevision | undefined> {
    let newest: ExpectedRevision = 'no-stream';
    try {
      // To its end: the client cannot be closed after a read that is broken off.
      const last = this.client.readStream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 1 });
      for await (const { event } of last) if (event) newest = Revision(Number(event.revision));
      return newest;
    } catch (error) {
      return error instanceof StreamNotFoundError ? newest : undefined;
    }
  }

  readForwards(stream: StreamName, { from, limit }: Range = {}): AsyncIterable<Recorded<Evt>> {
    const fromRevision = from === undefined ? START : BigInt(from);
    return this.read(stream, {
      direction: FORWARDS,
      fromRevision,
      ...(limit !== undefined && { maxCount: limit }),
    });
  }

  readBackwards(stream: StreamName, { from, limit }: Range = {}): AsyncIterable<Recorded<Evt>> {
    return limit === undefined ? this.pagesBackwards(stream, from) : this.backwards(stream, from, limit);
  }

  private backwards(stream: StreamName, from: Revision | undefined, maxCount: number) {
    const fromRevision = from === undefined ? END : BigInt(from);
    return this.read(stream, { direction: BACKWARDS, fromRevision, maxCount });
  }

  /** In pages that grow: most who read backwards look for something near the end, and go once they have it. */
  private async *pagesBackwards(
    stream: StreamName,
    start: Revision | undefined,
  ): AsyncIterable<Recorded<Evt>> {
    let from = start;
    for (let size = PAGE_MIN; ; size = Math.min(2 * size, DRAINED_MAX)) {
      let last: Revision | undefined;
      let read = 0;
      for await (const recorded of this.backwards(stream, from, size)) {
        yield recorded;
        last = recorded.revision;
        read += 1;
      }
      if (last === undefined || last === 0 || read < size) return;
      from = Revision(last - 1);
    }
  }

  /** If events are too large for one append, the largest move their content until none exceeds an equal share. */
  private async encodeAll(
    stream: StreamName,
    events: readonly NewEvent<Evt>[],
    context: EventContext,
  ): Promise<Encoded[]> {
    const slices = new Slices();
    const payloads: Payload[] = [];
    for (const event of events) {
      payloads.push(await payloadOf(event, stream, this.parse, this.stores.keys));
      if (slices.isOver) await slices.next();
    }
    const metadata = this.metadataOf(stream, events, context);
    const beside = metadata.reduce((sum, { bytes }) => sum + bytes.length + FRAMING, 0);
    const sizeMax = commonSizeMax(
      payloads.map(({ size }) => size),
      APPEND_MAX - beside,
    );
    if (sizeMax < LIGHTEST) {
      const message = `${events.length} events exceed the maximum number of one append: record them in several`;
      throw new AppError('append-too-large', message);
    }
    return Promise.all(
      metadata.map((about, at) => {
        const payload = payloads[at];
        invariant(payload, 'each event has its metadata');
        return encode(payload, about, sizeMax, this.stores.blobs);
      }),
    );
  }

  /** Metadata of each event, equal for events of one correlation and cause. */
  private metadataOf(
    stream: StreamName,
    events: readonly NewEvent<Evt>[],
    context: EventContext,
  ): readonly Metadata[] {
    const now = this.clock.now();
    const made = new Map<string, Metadata>();
    return events.map(({ correlationId = context.correlationId, occupancy }) => {
      const key = `${correlationId} ${occupancy ?? ''}`;
      const known = made.get(key);
      if (known) return known;
      const about = { ...context, correlationId, ...(occupancy !== undefined && { occupancy }) };
      const metadata = metadataOf(stream, about, now);
      made.set(key, metadata);
      return metadata;
    });
  }

  /** Ends all repetitions: the connection is about to be closed. */
  close(): void {
    this.isClosed = true;
  }

  /** Retries a read that fails before its first event. */
  private async *read(stream: StreamName, options: ReadOptions): AsyncIterable<Recorded<Evt>> {
    if (options.maxCount === 0) return; // To the client that is no limit.
    for (const wait of [...REPEATED_AFTER_MS, undefined]) {
      let hasBegun = false;
      try {
        for await (const recorded of this.readOnce(stream, options)) {
          hasBegun = true;
          yield recorded;
        }
        return;
      } catch (error) {
        if (error instanceof StreamNotFoundError) return;
        if (hasBegun || wait === undefined || this.isClosed || !isAmbiguous(error)) throw portError(error);
        await pause(wait);
      }
    }
  }

  private async *readOnce(stream: StreamName, options: ReadOptions): AsyncIterable<Recorded<Evt>> {
    const events = this.client.readStream(stream, options);
    const isShort = options.maxCount !== undefined && options.maxCount <= DRAINED_MAX;
    const feed = new Feed<ResolvedEvent>(events, async () => {
      if (!isShort) await events.cancel();
    });
    for await (const { event } of feed.items()) {
      if (!event) continue;
      const revision = Revision(Number(event.revision));
      const decoded = await decode(event, this.stores, this.parse);
      yield { id: event.id, stream, revision, ...decoded };
    }
  }
}

/** Returns `undefined` if the revision is unknown in advance. */
const leftBy = (expected: ExpectedRevision, events: number): Revision | undefined => {
  if (expected === 'any') return undefined;
  return Revision((expected === 'no-stream' ? -1 : expected) + events);
};

/** The size that no event may exceed so that all together take at most `room` bytes. */
const commonSizeMax = (sizes: readonly number[], room: number): number => {
  let left = room;
  const ascending = [...sizes].sort((a, b) => a - b);
  for (const [at, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - at));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
};
