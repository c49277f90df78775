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

/** A page ends where it has so many bytes, so that a reader of large events holds no more than others. */
const PAGE_BYTES_MAX = 2 * 2 ** 20;

/** Pages that are kept for others until the log grows: so many, and of so many bytes. */
const SHARED_COUNT_MAX = 16;
const SHARED_BYTES_MAX = 128 * 1024;

/** How a page is read: `from` is inclusive in both directions. */
export type PageRequest = {
  readonly from: number;
  readonly backwards: boolean;
  /** At most so many events. */
  readonly limit: number;
};

/** Whether a stream can be read: `deleted` may be opened again by an append, `tombstoned` never. */
export type StreamState = 'present' | 'missing' | 'deleted' | 'tombstoned';

/** Reads what is committed. Every call is synchronous and short: callers ask for pages, and yield between them. */
export class LogReader {
  /** Pages that reach the end of the log, by where they begin: all who follow it ask for the same ones. */
  readonly #lastPages = new Map<number, StoredEvent[]>();

  constructor(private readonly engine: Engine) {}

  /** The log has grown. */
  committed(): void {
    this.#lastPages.clear();
  }

  /** `undefined` where the stream has never had an event. */
  head(stream: string): StreamHead | undefined {
    const key = streamKey(stream);
    // Links may name anything, and no stream has this name: to LMDB it is no key.
    if (key.length === 0) return undefined;
    const bytes = this.engine.get('heads', key);
    return bytes && decodeHead(bytes);
  }

  metadataOf(stream: string): StreamMetadata {
    if (isMetadataStream(stream)) return METADATA_OF_METADATA;
    const last = this.lastOf(metadataStreamOf(stream));
    return last ? parseMetadata(last) : NO_METADATA;
  }

  /** Whether the stream is deleted for ever, with which its metadata stream goes too. */
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

  /** Events of the whole log. */
  readAll({ from, backwards, limit }: PageRequest): readonly StoredEvent[] {
    const known = backwards ? undefined : this.#lastPages.get(from);
    if (known && known.length <= limit) return known;
    let bytes = 0;
    const events = this.engine
      .scan('log', { from: numberKey(from), backwards, limit, bytesMax: PAGE_BYTES_MAX })
      .map(({ key, value }) => {
        bytes += value.length;
        return new StoredEvent(readNumber(key), value);
      });
    const isLast = !backwards && events.length < limit && bytes < SHARED_BYTES_MAX;
    if (isLast && this.#lastPages.size < SHARED_COUNT_MAX) this.#lastPages.set(from, events);
    return events;
  }

  /** Events of one stream that its metadata lets be read; none where it does not exist or is deleted. */
  readStream(stream: string, { from, backwards, limit }: PageRequest): StoredEvent[] {
    const head = this.head(stream);
    if (!head) return [];
    const { number } = head;
    const first = this.#firstReadable(stream, head);
    if (backwards && from < first) return [];
    const places = this.engine.scan('revisions', {
      from: numberKey(number, backwards ? from : Math.max(from, first)),
      // Exclusive, so that one beyond each end of what is readable stops the scan.
      until: backwards ? keyBefore(number, first) : numberKey(number + 1),
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

  /** The event at `revision` where it can be read, or `undefined`. */
  eventOf(stream: string, revision: number): StoredEvent | undefined {
    const head = this.head(stream);
    if (!head || revision < this.#firstReadable(stream, head)) return undefined;
    return this.storedAt(head, revision);
  }

  /** The event at `revision` of the stream that `head` belongs to, whether it can be read or not. */
  storedAt({ number }: StreamHead, revision: number): StoredEvent | undefined {
    const position = this.positionOf(number, revision);
    return position === undefined ? undefined : this.#eventAt(position);
  }

  /** The last event of a stream, readable or not. */
  lastOf(stream: string): StoredEvent | undefined {
    const head = this.head(stream);
    return head && this.storedAt(head, head.last);
  }

  positionOf(streamNumber: number, revision: number): number | undefined {
    if (revision < 0) return undefined;
    const bytes = this.engine.get('revisions', numberKey(streamNumber, revision));
    return bytes && readNumber(bytes);
  }

  /** The last event of the whole log; `undefined` in a log without events. */
  lastOfAll(): StoredEvent | undefined {
    return this.readAll({ from: NUMBER_MAX, backwards: true, limit: 1 })[0];
  }

  /** Beyond the last event where none of them can be read. */
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

/** A key that stands before that of `revision`, and behind those of every revision below it. */
const keyBefore = (number: number, revision: number): Buffer =>
  revision === 0 ? numberKey(number) : numberKey(number, revision - 1);
