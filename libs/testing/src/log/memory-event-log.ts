import type { SessionEvent } from '@app/domain';
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
} from '@app/ports';
import type { MemoryStore } from './memory-store.js';

type Range = { readonly from?: Revision; readonly limit?: number };

/** The log in memory. Events go through JSON, so that nothing is shared with whoever recorded them. */
export class MemoryEventLog implements EventLog {
  constructor(
    private readonly store: MemoryStore,
    private readonly clock: Clock,
  ) {}

  async append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    context: EventContext,
  ): Promise<Revision> {
    await Promise.resolve(); // Whoever races this append must be able to come first.
    const known = this.store.stream(stream);
    const first = expected === 'no-stream' ? 0 : expected + 1;
    if (known.length !== first) return this.repeated(known, first, events);
    const recordedAt = this.clock.now();
    const position = this.store.nextPosition();
    this.store.add(
      events.map(({ id, event }, at): RecordedInLog => {
        const revision = Revision(first + at);
        return {
          id,
          stream,
          revision,
          position: LogPosition(position + BigInt(at) * 10n),
          recordedAt,
          context,
          event: copyOf(event),
        };
      }),
    );
    return Revision(first + events.length - 1);
  }

  /** The same ids at the same place are the same append. */
  private repeated(known: readonly Recorded[], first: number, events: readonly NewEvent[]): Revision {
    const isRepeated = events.length > 0 && events.every(({ id }, at) => known[first + at]?.id === id);
    if (!isRepeated) throw new ConflictError('another writer was faster');
    return Revision(first + events.length - 1);
  }

  async *readForwards(stream: StreamName, { from, limit }: Range = {}): AsyncGenerator<Recorded> {
    const start: number = from ?? 0;
    yield* this.store.stream(stream).slice(start, start + (limit ?? Number.POSITIVE_INFINITY));
  }

  async *readBackwards(stream: StreamName, { from, limit }: Range = {}): AsyncGenerator<Recorded> {
    const upTo = this.store.stream(stream).slice(0, from === undefined ? undefined : from + 1);
    yield* upTo.reverse().slice(0, limit ?? Number.POSITIVE_INFINITY);
  }
}

const copyOf = (event: SessionEvent): SessionEvent => JSON.parse(JSON.stringify(event));
