import type { EventId } from '../event-id.js';
import { idKey, readNumber } from '../keys.js';
import type { LogReader } from '../log-reader.js';
import {
  METADATA_OF_METADATA,
  NO_METADATA,
  parseMetadata,
  type StreamMetadata,
} from '../metadata/stream-metadata.js';
import type { StoredEvent } from '../record.js';
import { describedBy, isMetadataStream, metadataStreamOf, type StreamHead } from '../stream-head.js';
import type { StreamView } from './decide-append.js';

/** The state of a stream after the draft is committed. */
type DraftedStream = StreamHead & {
  /** Events that the draft adds, by revision. */
  readonly added: Map<number, StoredEvent>;
  readonly revisionOfId: Map<EventId, number>;
};

/** The streams as they will be after the draft is committed. */
export class DraftedStreams {
  readonly #drafted = new Map<string, DraftedStream>();
  /** The committed heads, which do not change during a draft. */
  readonly #known = new Map<string, StreamHead | undefined>();

  constructor(
    private readonly log: LogReader,
    private readonly getRevision: (key: Buffer) => Buffer | undefined,
  ) {}

  /** The streams that the draft appends to. */
  get touched(): ReadonlyMap<string, StreamHead> {
    return this.#drafted;
  }

  head(stream: string): StreamHead | undefined {
    return this.#drafted.get(stream) ?? this.#knownHead(stream);
  }

  /** Whether the stream itself has a tombstone. */
  isTombstoned(stream: string): boolean {
    return this.head(stream)?.isTombstoned === true;
  }

  /** EventStoreDB rejects the first metadata of a stream with a tombstone, and accepts later ones. */
  #describesTombstoned(stream: string): boolean {
    return isMetadataStream(stream) && this.isTombstoned(describedBy(stream));
  }

  metadataOf(stream: string): StreamMetadata {
    if (isMetadataStream(stream)) return METADATA_OF_METADATA;
    const last = this.lastOf(metadataStreamOf(stream));
    return last ? parseMetadata(last) : NO_METADATA;
  }

  lastOf(stream: string): StoredEvent | undefined {
    const head = this.head(stream);
    return head && this.#eventAt(stream, head, head.last);
  }

  positionOf(stream: string, revision: number): number | undefined {
    const drafted = this.#drafted.get(stream)?.added.get(revision)?.position;
    if (drafted !== undefined) return drafted;
    const head = this.#knownHead(stream);
    return head && this.log.positionOf(head.number, revision);
  }

  /** Returns the state that an append to `stream` is decided by. */
  viewOf(stream: string): StreamView {
    const head = this.head(stream);
    return {
      last: head?.last ?? -1,
      isTombstoned: this.isTombstoned(stream) || (!head && this.#describesTombstoned(stream)),
      isDeleted: () => this.metadataOf(stream).isDeleted,
      hasMetadata: () => this.head(metadataStreamOf(stream)) !== undefined,
      idAt: (revision) => head && this.#eventAt(stream, head, revision)?.id,
      revisionOf: (id) => {
        const stored = head && this.getRevision(idKey(id, head.number));
        return this.#drafted.get(stream)?.revisionOfId.get(id) ?? (stored && readNumber(stored));
      },
    };
  }

  /** Adds an event at the end of its stream. */
  add(stream: string, event: StoredEvent): StreamHead {
    const drafted = this.#draft(stream, event.position);
    drafted.added.set(event.revision, event);
    drafted.revisionOfId.set(event.id, event.revision);
    const head = { ...drafted, last: event.revision };
    this.#drafted.set(stream, head);
    return head;
  }

  /** Writes a tombstone. `position`: that of the tombstone. */
  tombstone(stream: string, position: number): void {
    this.#drafted.set(stream, { ...this.#draft(stream, position), isTombstoned: true });
  }

  #knownHead(stream: string): StreamHead | undefined {
    if (!this.#known.has(stream)) this.#known.set(stream, this.log.head(stream));
    return this.#known.get(stream);
  }

  #draft(stream: string, position: number): DraftedStream {
    const head = this.head(stream) ?? { number: position, last: -1, isTombstoned: false };
    return this.#drafted.get(stream) ?? { ...head, added: new Map(), revisionOfId: new Map() };
  }

  #eventAt(stream: string, head: StreamHead, revision: number): StoredEvent | undefined {
    return this.#drafted.get(stream)?.added.get(revision) ?? this.log.storedAt(head, revision);
  }
}
