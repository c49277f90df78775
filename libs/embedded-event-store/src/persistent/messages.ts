import type { EventId } from '../log/event-id.js';
import type { StoredEvent } from '../log/record.js';
import type { Consumer } from './consumer.js';

/** An event on its way through a group. */
export type Message = {
  readonly event: StoredEvent;
  /** Its revision in the stream, or its position in $all: what the checkpoint counts in. */
  readonly place: number;
  /** How often it was delivered before. */
  readonly retryCount: number;
};
export type Outstanding = Message & {
  readonly consumer: Consumer;
  /** Milliseconds since 1970; infinity where messages do not time out. */
  readonly deadline: number;
};

/**
 * The events that a group has read and nobody has finished: waiting for a first delivery, delivered, or waiting
 * for another one. Whatever is in here holds the checkpoint back.
 */
export class Messages {
  /** Not delivered yet, in order. */
  readonly fresh: Message[] = [];
  /** To be delivered again, before anything fresh. */
  readonly retries: Message[] = [];
  /** Delivered and unanswered, by id, the oldest delivery first. */
  readonly outstanding = new Map<EventId, Outstanding>();
  /** On their way into the parked stream. */
  readonly parking = new Set<Message>();

  /** The next one to deliver. An id is outstanding once at a time: an answer names nothing but the id. */
  next(): Message | undefined {
    const queue = this.retries.length > 0 ? this.retries : this.fresh;
    const first = queue[0];
    if (!first || this.outstanding.has(first.event.id)) return undefined;
    return queue.shift();
  }

  /** Takes a delivered event out of a consumer's hands; `undefined` where it is not (or no longer) there. */
  take(id: EventId): Outstanding | undefined {
    const found = this.outstanding.get(id);
    if (!found) return undefined;
    this.outstanding.delete(id);
    found.consumer.inFlight -= 1;
    return found;
  }

  /** An answer that came after its event had been put back: it counts nevertheless. */
  forgetRetry(id: EventId): boolean {
    const index = this.retries.findIndex(({ event }) => event.id === id);
    if (index >= 0) this.retries.splice(index, 1);
    return index >= 0;
  }

  /** Takes back what `consumer` holds, oldest first. */
  takeAllOf(consumer: Consumer): Outstanding[] {
    return [...this.outstanding.values()].filter((message) => {
      if (message.consumer !== consumer) return false;
      this.take(message.event.id);
      return true;
    });
  }

  /** The first place that is not finished; `undefined` where all that was read is. */
  lowestPlace(): number | undefined {
    let lowest: number | undefined;
    for (const group of [this.fresh, this.retries, this.outstanding.values(), this.parking]) {
      for (const { place } of group) if (lowest === undefined || place < lowest) lowest = place;
    }
    return lowest;
  }
}
