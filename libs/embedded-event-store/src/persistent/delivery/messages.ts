import type { EventId } from '../../log/event-id.js';
import type { Choice } from '../strategies/strategy.js';
import type { Holder } from './consumer.js';
import { bytesOf, type Message } from './message.js';

export type Outstanding<Consumer> = {
  readonly message: Message;
  readonly consumer: Consumer;
  /** Milliseconds since 1970; infinity where messages do not time out. */
  readonly deadline: number;
};

/**
 * The events that a group has read and nobody has finished: waiting for a first delivery, delivered, or waiting
 * for another one. Whatever of the source is in here holds the checkpoint back.
 */
export class Messages<Consumer extends Holder> {
  /** Not delivered yet, in order. */
  readonly fresh: Message[] = [];
  /** To be delivered again, before anything fresh: in the order of the source, and replayed ones behind. */
  readonly retries: Message[] = [];
  /** Delivered and unanswered, by id, the oldest delivery first. */
  readonly outstanding = new Map<EventId, Outstanding<Consumer>>();
  /** On their way into the parked stream. */
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
   * Takes out the next one that somebody is chosen for. An id is outstanding once at a time: an answer names
   * nothing but the id.
   */
  next(choose: (message: Message) => Choice<Consumer>): { message: Message; consumer: Consumer } | undefined {
    for (const queue of [this.retries, this.fresh]) {
      for (const [index, message] of queue.entries()) {
        if (this.outstanding.has(message.id)) continue;
        const choice = choose(message);
        if (choice === 'nobody') return undefined;
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

  /** Takes a delivered event out of a consumer's hands; `undefined` where it is not (or no longer) there. */
  take(id: EventId): Message | undefined {
    const found = this.outstanding.get(id);
    if (!found) return undefined;
    this.outstanding.delete(id);
    found.consumer.gaveBack(id);
    return found.message;
  }

  /** An answer that came after its event had been put back: it counts nevertheless. */
  takeRetry(id: EventId): Message | undefined {
    const index = this.retries.findIndex((message) => message.id === id);
    const message = this.retries[index];
    if (message) this.#remove(this.retries, index, message);
    return message;
  }

  /** Takes back what `consumer` holds, oldest first. */
  takeAllOf(consumer: Consumer): Message[] {
    const held = [...this.outstanding].filter(([, outstanding]) => outstanding.consumer === consumer);
    for (const [id] of held) this.take(id);
    return held.map(([, { message }]) => message);
  }

  /** The first of the source's events that is not finished; `undefined` where all that was read are. */
  lowest(): { place: number; sequence: number } | undefined {
    let lowest: { place: number; sequence: number } | undefined;
    for (const { origin } of this.#unfinished()) {
      if (origin.kind === 'source' && (!lowest || origin.place < lowest.place)) lowest = origin;
    }
    return lowest;
  }

  *#unfinished(): Iterable<Message> {
    const [first] = this.fresh; // They are in order.
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
