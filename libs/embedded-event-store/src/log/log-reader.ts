import { invariant } from '@app/kernel';
import type { Engine } from '../storage/engine.js';
import { NUMBER_MAX, numberKey, readNumber, streamKey } from './keys.js';
import { firstReadable, firstYoungEnough, oldestReadable } from './metadata/readable-range.js';
import {
  METADATA_OF_METADATA,
  NO_METADATA,
  parseMetadata,
  type StreamMetadata,
} from './metadata/stream-metadata.js';
import { StoredEvent } from './record.js';
import {
  decodeHead,
  describedBy,
  isMetadataStream,
  metadataStreamOf,
  type StreamHead,
} from './stream-head.js';

/** Page size limit, which bounds the memory of a reader of large events. */
const PAGE_BYTES_MAX = 2 * 2 ** 20;

/** Limits of the pages that are cached until the log grows: count, and bytes of each page. */
const SHARED_COUNT_MAX = 16;
const SHARED_BYTES_MAX = 128 * 1024;

/** A page request. `from` is inclusive in both directions. */
export type PageRequest = {
  readonly from: number;
  readonly backwards: boolean;
  /** The maximum number of events. */
  readonly limit: number;
};

/** Whether a stream can be read: an append reopens a `deleted` one, never a `tombstoned` one. */
export type StreamState = 'present' | 'missing' | 'deleted' | 'tombstoned';

/**
 * Reads committed events, all of a transaction or none: its entries become visible one by one, its heads and the end of the log
 * at once. Every call is synchronous and short: callers ask for pages, and yield between them.
 */
export class LogReader {
  #end = NUMBER_MAX;
  /** Pages that reach the end of the log, by first position: all live subscribers ask for the same ones. */
  readonly #lastPages = new Map<number, StoredEvent[]>();

  constructor(private readonly engine: Engine) {}

  /** The first position after the committed events. */
  get end(): number {
    return this.#end;
  }

  /** Makes the events up to the position `end` visible, and invalidates the cached pages. */
  committed(end: number): void {
    this.#end = end;
    this.#lastPages.clear();
  }

  /** Returns `undefined` for a stream that never had an event. */
  head(stream: string): StreamHead | undefined {
    const key = streamKey(stream);
    // A link may contain an empty stream name, which is no valid LMDB key.
    if (key.length === 0) return undefined;
    const bytes = this.engine.get('heads', key);
    return bytes && decodeHead(bytes);
  }

  metadataOf(stream: string): StreamMetadata {
    if (isMetadataStream(stream)) return METADATA_OF_METADATA;
    const last = this.lastOf(metadataStreamOf(stream));
    return last ? parseMetadata(last) : NO_METADATA;
  }

  /** Whether the stream has a tombstone, which also deletes its metadata stream. */
  isTombstoned(stream: string): boolean {
    if (this.head(stream)?.isTombstoned) return true;
    return isMetadataStream(stream) && this.head(describedBy(stream))?.isTombstoned === true;
  }

  stateOf(stream: string): StreamState {
    if (this.isTombstoned(stream)) return 'tombstoned';
    const head = this.head(stream);
    if (this.metadataOf(stream).isDeleted) return 'deleted';
    return head && head.last >= 0 ? 'present' : 'missing';
  }

  /** Reads events of the whole log. */
  readAll({ from, backwards, limit }: PageRequest): readonly StoredEvent[] {
    const known = backwards ? undefined : this.#lastPages.get(from);
    if (known && known.length <= limit) return known;
    if (this.#end === 0) return [];
    let bytes = 0;
    const range = backwards
      ? { from: numberKey(Math.min(from, this.#end - 1)) }
      : { from: numberKey(from), until: numberKey(this.#end) };
    const events = this.engine
      .scan('log', { ...range, backwards, limit, bytesMax: PAGE_BYTES_MAX })
      .map(({ key, value }) => {
        bytes += value.length;
        return new StoredEvent(readNumber(key), value);
      });
    const isLast = !backwards && events.length < limit && bytes < SHARED_BYTES_MAX;
    if (isLast && this.#lastPages.size < SHARED_COUNT_MAX) this.#lastPages.set(from, events);
    return events;
  }

  /** Reads the events of a stream that its metadata leaves readable; none of a missing or deleted stream. */
  readStream(stream: string, { from, backwards, limit }: PageRequest): StoredEvent[] {
    const head = this.head(stream);
    if (!head) return [];
    const { number, last } = head;
    const first = this.#firstReadable(stream, head);
    const start = backwards ? Math.min(from, last) : Math.max(from, first);
    if (start < first || start > last) return [];
    const places = this.engine.scan('revisions', {
      from: numberKey(number, start),
      // Exclusive: one beyond the readable range.
      until: backwards ? keyBefore(number, first) : numberKey(number, last + 1),
      backwards,
      limit,
    });
    const events: StoredEvent[] = [];
    let bytes = 0;
    for (const { value } of places) {
      const event = this.#eventAt(readNumber(value));
      events.push(event);
      bytes += event.record.length;
      if (bytes >= PAGE_BYTES_MAX) break;
    }
    return events;
  }

  /** Returns the event at `revision`; `undefined` if it is not readable. */
  eventOf(stream: string, revision: number): StoredEvent | undefined {
    const head = this.head(stream);
    if (!head || revision > head.last || revision < this.#firstReadable(stream, head)) return undefined;
    return this.storedAt(head, revision);
  }

  /** Returns the event at `revision` of the stream of `head`, readable or not. */
  storedAt({ number }: StreamHead, revision: number): StoredEvent | undefined {
    const position = this.positionOf(number, revision);
    return position === undefined ? undefined : this.#eventAt(position);
  }

  /** Returns the last event of a stream, readable or not. */
  lastOf(stream: string): StoredEvent | undefined {
    const head = this.head(stream);
    return head && this.storedAt(head, head.last);
  }

  positionOf(streamNumber: number, revision: number): number | undefined {
    if (revision < 0) return undefined;
    const bytes = this.engine.get('revisions', numberKey(streamNumber, revision));
    return bytes && readNumber(bytes);
  }

  /** Returns the last event of the log; `undefined` in an empty one. */
  lastOfAll(): StoredEvent | undefined {
    return this.readAll({ from: NUMBER_MAX, backwards: true, limit: 1 })[0];
  }

  /** Returns the first readable revision; one beyond the last event if none is readable. */
  #firstReadable(stream: string, head: StreamHead): number {
    const beyond = head.last + 1;
    if (head.isTombstoned) return beyond;
    const metadata = this.metadataOf(stream);
    if (metadata.isDeleted) return beyond;
    const first = Math.max(0, Math.min(firstReadable(metadata, head.last), beyond));
    if (metadata.maxAge === undefined) return first;
    const oldest = oldestReadable(metadata, Date.now());
    return firstYoungEnough(
      first,
      head.last,
      (revision) => (this.storedAt(head, revision)?.createdAt ?? 0) >= oldest,
    );
  }

  #eventAt(position: number): StoredEvent {
    const record = this.engine.get('log', numberKey(position));
    invariant(record, `the index names position ${position}, but the log has no record there`);
    return new StoredEvent(position, record);
  }
}

/** Returns a key between those of `revision` and of all lower revisions. */
const keyBefore = (number: number, revision: number): Buffer =>
  revision === 0 ? numberKey(number) : numberKey(number, revision - 1);
