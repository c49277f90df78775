import type { Put } from '../../storage/engine.js';
import type { EventId } from '../event-id.js';
import { idKey, numberKey, readNumber } from '../keys.js';
import type { LogReader } from '../log-reader.js';
import { encodeRecord, StoredEvent } from '../record.js';
import { encodeHead, metadataStreamOf, type StreamHead } from '../stream-head.js';
import type { Append, AppendOutcome } from './append.js';
import { decideAppend, type StreamView } from './decide-append.js';

/** A stream as it will be once the draft is committed. */
type DraftedStream = StreamHead & {
  /** What the draft adds: revision → where and which. */
  readonly added: Map<number, { readonly id: EventId; readonly position: number }>;
  readonly revisionOfId: Map<EventId, number>;
};

/**
 * One transaction while it is put together: decides append after append against the log *and* what it has
 * accepted itself. Nothing of it is visible to readers; it becomes so as a whole, or is thrown away as a whole.
 */
export class Draft {
  readonly puts: Put[] = [];
  readonly events: StoredEvent[] = [];
  readonly #streams = new Map<string, DraftedStream>();
  #next: number;
  #bytes = 0;

  /** `next`: the first position that is free. */
  constructor(
    private readonly log: LogReader,
    private readonly getRevision: (key: Buffer) => Buffer | undefined,
    next: number,
  ) {
    this.#next = next;
  }

  get next(): number {
    return this.#next;
  }
  get bytes(): number {
    return this.#bytes;
  }
  get touchedStreams(): ReadonlySet<string> {
    return new Set(this.#streams.keys());
  }

  /** Decides `append` and takes its events in. The outcome holds once the draft is on disk. */
  add(append: Append, now: Date): AppendOutcome {
    if (append.deadline !== undefined && append.deadline <= now.getTime()) return { kind: 'timeout' };
    const head = this.#head(append.stream);
    const decision = decideAppend(
      append.expected,
      append.events.map(({ id }) => id),
      this.#view(append.stream, head),
    );
    switch (decision.kind) {
      case 'conflict':
        return { kind: 'conflict', last: head?.last };
      case 'repeated':
        return {
          kind: 'appended',
          last: decision.last,
          position: head && this.#positionOf(append.stream, head.number, decision.last),
        };
      case 'write':
        return this.#write(append, head, now);
    }
  }

  #write({ stream, events }: Append, head: StreamHead | undefined, now: Date): AppendOutcome {
    if (events.length === 0) return { kind: 'appended', last: head?.last, position: undefined };
    const drafted = this.#drafted(stream, head);
    let { last } = drafted;
    let position = 0;
    for (const event of events) {
      last += 1;
      position = this.#next;
      const record = encodeRecord(event, { stream, revision: last, position, createdAt: now });
      this.#next += record.length;
      this.#bytes += record.length;
      drafted.added.set(last, { id: event.id, position });
      drafted.revisionOfId.set(event.id, last);
      this.events.push(new StoredEvent(position, record));
      this.puts.push(
        { table: 'log', key: numberKey(position), value: record },
        { table: 'revisions', key: numberKey(drafted.number, last), value: numberKey(position) },
        { table: 'ids', key: idKey(event.id, drafted.number), value: numberKey(last) },
      );
    }
    const { number } = drafted;
    this.#streams.set(stream, { ...drafted, last });
    this.puts.push({ table: 'heads', key: Buffer.from(stream), value: encodeHead({ number, last }) });
    return { kind: 'appended', last, position };
  }

  #drafted(stream: string, head: StreamHead | undefined): DraftedStream {
    return (
      this.#streams.get(stream) ?? {
        number: head?.number ?? this.#next,
        last: head?.last ?? -1,
        added: new Map(),
        revisionOfId: new Map(),
      }
    );
  }

  #head(stream: string): StreamHead | undefined {
    return this.#streams.get(stream) ?? this.log.head(stream);
  }

  #view(stream: string, head: StreamHead | undefined): StreamView {
    const drafted = this.#streams.get(stream);
    return {
      last: head?.last ?? -1,
      hasMetadata: () => this.#head(metadataStreamOf(stream)) !== undefined,
      idAt: (revision) => drafted?.added.get(revision)?.id ?? this.log.eventOf(stream, revision)?.id,
      revisionOf: (id) => {
        const stored = head && this.getRevision(idKey(id, head.number));
        return drafted?.revisionOfId.get(id) ?? (stored && readNumber(stored));
      },
    };
  }

  #positionOf(stream: string, streamNumber: number, revision: number): number | undefined {
    return (
      this.#streams.get(stream)?.added.get(revision)?.position ?? this.log.positionOf(streamNumber, revision)
    );
  }
}
