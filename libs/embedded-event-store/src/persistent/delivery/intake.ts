import { isServerStream } from '../../log/first-events.js';
import type { LogReader } from '../../log/log-reader.js';
import type { StoredEvent } from '../../log/record.js';
import { Cursor, PAGE_COUNT } from '../../streams/reads/cursor.js';
import { deliveryOf } from '../../streams/reads/delivery.js';
import { matcherOf } from '../../streams/reads/event-filter.js';
import { type GroupDefinition, isBookkeepingOfAll } from '../definition/group-definition.js';
import { lastPlaceOf } from '../definition/places.js';
import { type Message, newMessage } from './message.js';

/** The default for a read batch size of 0. */
const READ_BATCH_SIZE = 20;

type Batch = { readonly messages: readonly Message[]; readonly leftOutCount: number };

/** Reads a group's source once, in order. */
export class Intake {
  readonly batchSize: number;
  readonly #cursor: Cursor;
  readonly #matches: (event: StoredEvent) => boolean;
  #next: number;
  #sequence = 0;

  /** `first`: the first place to read, inclusive. */
  constructor(
    private readonly reader: LogReader,
    private readonly definition: GroupDefinition,
    first: number,
  ) {
    const { source, settings, filter } = definition;
    this.batchSize = Math.min(
      settings.readBatchSize > 0 ? settings.readBatchSize : READ_BATCH_SIZE,
      PAGE_COUNT,
    );
    this.#next = first;
    this.#cursor = new Cursor(reader, source, false, first);
    this.#matches = filter ? matcherOf(filter) : () => true;
  }

  /** The first unread place. */
  get next(): number {
    return this.#next;
  }
  /** The number of events read, including those for other consumers. */
  get sequence(): number {
    return this.#sequence;
  }
  /** Whether all committed events were read. */
  get caughtUp(): boolean {
    return (lastPlaceOf(this.reader, this.definition.source) ?? -1) < this.#next;
  }

  /** Returns `undefined` if there is nothing to read now. */
  read(): Batch | undefined {
    const { source, filter } = this.definition;
    // A filter may exclude whole pages: large pages keep the search short.
    const events = this.#cursor.read(filter ? PAGE_COUNT : this.batchSize);
    if (events.length === 0) return undefined;
    const messages: Message[] = [];
    let leftOutCount = 0;
    for (const event of events) {
      const place = source.kind === 'all' ? event.position : event.revision;
      this.#next = place + 1;
      // Not counted either: a checkpoint event that counts towards the next one would never let the group rest.
      if (source.kind === 'all' && !isOfAll(event)) continue;
      const sequence = this.#sequence++;
      if (this.#matches(event)) messages.push(this.#messageOf(event, place, sequence));
      else leftOutCount += 1;
    }
    return { messages, leftOutCount };
  }

  #messageOf(event: StoredEvent, place: number, sequence: number): Message {
    const delivery = deliveryOf(this.reader, this.definition.settings, event);
    return newMessage({ kind: 'source', place, sequence }, event, delivery);
  }
}

/** Excludes the store's events about itself, and the bookkeeping of groups to $all. */
const isOfAll = ({ stream }: StoredEvent): boolean =>
  !stream.startsWith('$') || (!isServerStream(stream) && !isBookkeepingOfAll(stream));
