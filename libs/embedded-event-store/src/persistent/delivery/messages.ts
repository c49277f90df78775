import type { EventId } from '../../log/event-id.js';
import type { Choice } from '../strategies/strategy.js';
import type { Holder } from './consumer.js';
import { bytesOf, type Message } from './message.js';

export type Outstanding<Consumer> = {
  readonly message: Message;
  readonly consumer: Consumer;
  /** Milliseconds since 1970; infinity without a message timeout. */
  readonly deadline: number;
};

/**
 * The unfinished events of a group: fresh, outstanding, or waiting for a retry. Each event of the source in here
 * bounds the checkpoint.
 */
export class Messages<Consumer extends Holder> {
  /** Undelivered events, in order. */
  readonly fresh: Message[] = [];
  /** Events to redeliver before fresh ones: in the order of the source, replayed ones last. */
  readonly retries: Message[] = [];
  /** Delivered, unanswered events by id, oldest delivery first. */
  readonly outstanding = new Map<EventId, Outstanding<Consumer>>();
  /** Events whose write to the parked stream is pending. */
  readonly parking = new Set<Message>();
  #waitingBytes = 0;

  get waitingCount(): number {
    return this.fresh.length + this.retries.length;
  }
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  addFresh(messages: readonly Message[]): void {
    for (const message of messages) {
      this.#waitingBytes += bytesOf(message);
      this.fresh.push(message);
    }
  }

  addRetry(message: Message): void {
    this.#waitingBytes += bytesOf(message);
    const later = this.retries.findIndex((other) => comesBefore(message, other));
    this.retries.splice(later < 0 ? this.retries.length : later, 0, message);
  }

  /**
   * Removes and returns the next event that a consumer is chosen for. An id is outstanding only once, since answers
   * contain nothing but the id.
   */
  next(choose: (message: Message) => Choice<Consumer>): { message: Message; consumer: Consumer } | undefined {
    for (const queue of [this.retries, this.fresh]) {
      for (const [index, message] of queue.entries()) {
        if (this.outstanding.has(message.id)) continue;
        const choice = choose(message);
        if (choice === 'none') return undefined;
        if (choice === 'later') continue;
        this.#remove(queue, index, message);
        return { message, consumer: choice };
      }
    }
    return undefined;
  }

  deliver(outstanding: Outstanding<Consumer>): void {
    const { id } = outstanding.message;
    this.outstanding.set(id, outstanding);
    outstanding.consumer.took(id);
  }

  /** Removes a delivered event from its consumer; `undefined` if no consumer holds it. */
  take(id: EventId): Message | undefined {
    const found = this.outstanding.get(id);
    if (!found) return undefined;
    this.outstanding.delete(id);
    found.consumer.gaveBack(id);
    return found.message;
  }

  /** Removes an event that waits for a retry: a late answer still counts. */
  takeRetry(id: EventId): Message | undefined {
    const index = this.retries.findIndex((message) => message.id === id);
    const message = this.retries[index];
    if (message) this.#remove(this.retries, index, message);
    return message;
  }

  /** Removes and returns the events of `consumer`, oldest first. */
  takeAllOf(consumer: Consumer): Message[] {
    const held = [...this.outstanding].filter(([, outstanding]) => outstanding.consumer === consumer);
    for (const [id] of held) this.take(id);
    return held.map(([, { message }]) => message);
  }

  /** Returns the first unfinished event of the source; `undefined` if all are finished. */
  lowest(): { place: number; sequence: number } | undefined {
    let lowest: { place: number; sequence: number } | undefined;
    for (const { origin } of this.#unfinished()) {
      if (origin.kind === 'source' && (!lowest || origin.place < lowest.place)) lowest = origin;
    }
    return lowest;
  }

  *#unfinished(): Iterable<Message> {
    const [first] = this.fresh; // Fresh events are in order.
    if (first) yield first;
    yield* this.retries;
    for (const { message } of this.outstanding.values()) yield message;
    yield* this.parking;
  }

  #remove(queue: Message[], index: number, message: Message): void {
    queue.splice(index, 1);
    this.#waitingBytes -= bytesOf(message);
  }
}

const comesBefore = ({ origin }: Message, { origin: other }: Message): boolean =>
  origin.kind === 'source' && (other.kind === 'parked' || origin.place < other.place);
