import { isAboutTheStore } from '../../log/first-events.js';
import type { LogReader } from '../../log/log-reader.js';
import type { StoredEvent } from '../../log/record.js';
import { Cursor, PAGE_COUNT } from '../../streams/reads/cursor.js';
import { deliveryOf } from '../../streams/reads/delivery.js';
import { matcherOf } from '../../streams/reads/event-filter.js';
import { type GroupDefinition, isBookkeepingOfAll } from '../definition/group-definition.js';
import { lastPlaceOf } from '../definition/places.js';
import { type Message, newMessage } from './message.js';

/** What a read batch size of 0 stands for. */
const READ_BATCH_SIZE = 20;

type Batch = { readonly messages: readonly Message[]; readonly leftOutCount: number };

/** Reads a group's source, in order and once. */
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

  /** The first place that was not read. */
  get next(): number {
    return this.#next;
  }
  /** How many events it has looked at. */
  get sequence(): number {
    return this.#sequence;
  }
  /** Whether all that is committed was read. */
  get caughtUp(): boolean {
    return (lastPlaceOf(this.reader, this.definition.source) ?? -1) < this.#next;
  }

  /** `undefined` where there is nothing to read now. */
  read(): Batch | undefined {
    const { source, filter } = this.definition;
    // A filter may leave out all of a page: then small pages would only make the search long.
    const events = this.#cursor.read(filter ? PAGE_COUNT : this.batchSize);
    if (events.length === 0) return undefined;
    const messages: Message[] = [];
    let leftOutCount = 0;
    for (const event of events) {
      const place = source.kind === 'all' ? event.position : event.revision;
      this.#next = place + 1;
      // Not even counted: a checkpoint that counted for the next one would never let the group rest.
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

/** What the store writes about itself, and what groups to $all write about themselves, is not given to them. */
const isOfAll = ({ stream }: StoredEvent): boolean =>
  !stream.startsWith('$') || (!isAboutTheStore(stream) && !isBookkeepingOfAll(stream));
