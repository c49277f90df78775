import { LogPosition, Revision, type StreamName } from '@app/kernel';
import {
  type Clock,
  ConflictError,
  type EventContext,
  type EventLog,
  type ExpectedRevision,
  type NewEvent,
  type Recorded,
  type RecordedInLog,
  type StoredEvent,
} from '@app/ports';
import type { MemoryStore } from './memory-store.js';

type Range = { readonly from?: Revision; readonly limit?: number };

/** An in-memory event log. Events pass through JSON, so that readers and writers share no objects. */
export class MemoryEventLog<Evt extends StoredEvent> implements EventLog<Evt> {
  constructor(
    private readonly store: MemoryStore,
    private readonly clock: Clock,
    private readonly isOurs: (event: StoredEvent) => event is Evt,
  ) {}

  async append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly NewEvent<Evt>[],
    context: EventContext,
  ): Promise<Revision> {
    await Promise.resolve(); // Lets a concurrent append come first.
    const known = this.streamOf(stream);
    const first = firstOf(expected, known, events);
    if (known.length !== first) return this.repeated(known, first, events);
    const recordedAt = this.clock.now();
    const position = this.store.nextPosition();
    this.store.add(
      events.map(
        ({ id, event, correlationId = context.correlationId, occupancy }, at): RecordedInLog<Evt> => {
          const revision = Revision(first + at);
          return {
            id,
            stream,
            revision,
            position: LogPosition(position + BigInt(at) * 10n),
            recordedAt,
            context: { ...context, correlationId, ...(occupancy !== undefined && { occupancy }) },
            event: copyOf(event),
          };
        },
      ),
    );
    return Revision(first + events.length - 1);
  }

  private streamOf(stream: StreamName): readonly RecordedInLog<Evt>[] {
    return this.ours(this.store.stream(stream));
  }

  private ours(records: readonly RecordedInLog<StoredEvent>[]): readonly RecordedInLog<Evt>[] {
    return records.filter((one): one is RecordedInLog<Evt> => this.isOurs(one.event));
  }

  /** An append of the same ids at the same revision is a retry. */
  private repeated(
    known: readonly Recorded<Evt>[],
    first: number,
    events: readonly NewEvent<Evt>[],
  ): Revision {
    const isRepeated = events.length > 0 && events.every(({ id }, at) => known[first + at]?.id === id);
    if (!isRepeated) throw new ConflictError('another writer was faster');
    return Revision(first + events.length - 1);
  }

  async *readForwards(stream: StreamName, { from, limit }: Range = {}): AsyncGenerator<Recorded<Evt>> {
    const start: number = from ?? 0;
    yield* this.ours(this.store.stream(stream).slice(start, start + (limit ?? Number.POSITIVE_INFINITY)));
  }

  async *readBackwards(stream: StreamName, { from, limit }: Range = {}): AsyncGenerator<Recorded<Evt>> {
    const all = this.store.stream(stream);
    const end = from === undefined ? all.length : Math.min(all.length, from + 1);
    const page = all.slice(Math.max(0, end - (limit ?? Number.POSITIVE_INFINITY)), end);
    yield* this.ours(page).toReversed();
  }
}

const firstOf = <Evt extends StoredEvent>(
  expected: ExpectedRevision,
  known: readonly Recorded<Evt>[],
  events: readonly NewEvent<Evt>[],
): number => {
  if (expected === 'no-stream') return 0;
  if (expected !== 'any') return expected + 1;
  const repeated = known.findIndex(({ id }) => id === events[0]?.id);
  return repeated < 0 ? known.length : repeated;
};

const copyOf = <Evt extends StoredEvent>(event: Evt): Evt => JSON.parse(JSON.stringify(event));
