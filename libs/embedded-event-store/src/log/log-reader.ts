import { invariant } from '@app/kernel';
import type { Engine } from '../storage/engine.js';
import { NUMBER_MAX, numberKey, readNumber } from './keys.js';
import { StoredEvent } from './record.js';
import { decodeHead, type StreamHead } from './stream-head.js';

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
    const bytes = this.engine.get('heads', Buffer.from(stream));
    return bytes && decodeHead(bytes);
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

  /** Events of one stream; none where it does not exist. */
  readStream(stream: string, { from, backwards, limit }: PageRequest): StoredEvent[] {
    const head = this.head(stream);
    if (!head) return [];
    const { number } = head;
    const places = this.engine.scan('revisions', {
      from: numberKey(number, from),
      // Exclusive, so that one beyond each end of this stream's keys stops the scan.
      until: backwards ? numberKey(number) : numberKey(number + 1),
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

  /** The event at `revision`, or `undefined`. */
  eventOf(stream: string, revision: number): StoredEvent | undefined {
    const head = this.head(stream);
    const position = head && this.positionOf(head.number, revision);
    return position === undefined ? undefined : this.#eventAt(position);
  }

  positionOf(streamNumber: number, revision: number): number | undefined {
    const bytes = this.engine.get('revisions', numberKey(streamNumber, revision));
    return bytes && readNumber(bytes);
  }

  /** The last event of the whole log; `undefined` in a log without events. */
  lastOfAll(): StoredEvent | undefined {
    return this.readAll({ from: NUMBER_MAX, backwards: true, limit: 1 })[0];
  }

  #eventAt(position: number): StoredEvent {
    const record = this.engine.get('log', numberKey(position));
    invariant(record, `the index names position ${position}, but the log has no record there`);
    return new StoredEvent(position, record);
  }
}
