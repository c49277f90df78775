import type { LogPosition } from '@app/kernel';
import type { Streamed } from './streamed-event.js';

/** A reader of a channel. */
export type ChannelReader = {
  /** Number of the next event to read. */
  readonly next: number;
  wake(): void;
  /** Called when the next event is no longer buffered. */
  overtaken(): void;
};

export type ChannelBounds = {
  /** Maximum of buffered events. */
  readonly events: number;
  /** Maximum UTF-16 units of their text. */
  readonly characters: number;
};

export const isAfter = (position: LogPosition | 'start', other: LogPosition | 'start'): boolean =>
  position !== 'start' && (other === 'start' || position > other);

/**
 * Buffer of the newest events of one tenant, shared by all its readers and numbered in order. A reader is only a number: a slow
 * one costs nothing and is overtaken when its event is dropped.
 */
export class TenantChannel {
  readonly #events: Streamed[] = [];
  readonly #readers = new Set<ChannelReader>();
  #first = 0;
  #characters = 0;

  constructor(
    /** Position after which the buffer has all events of the tenant, up to that of the hub. */
    private heldAfter: LogPosition | 'start',
    private readonly bounds: () => ChannelBounds,
  ) {}

  get readers(): number {
    return this.#readers.size;
  }

  push(event: Streamed): void {
    this.#events.push(event);
    this.#characters += event.weight;
    this.#trim();
    this.wake();
  }

  wake(): void {
    for (const reader of this.#readers) reader.wake();
  }

  /** Returns the number of the first event after `position`; `undefined` if the buffer lacks events since then. */
  numberAfter(position: LogPosition | 'start'): number | undefined {
    if (isAfter(this.heldAfter, position)) return undefined;
    const found = this.#events.findIndex((event) => isAfter(event.position, position));
    return this.#first + (found < 0 ? this.#events.length : found);
  }

  add(reader: ChannelReader): void {
    this.#readers.add(reader);
  }

  remove(reader: ChannelReader): void {
    this.#readers.delete(reader);
  }

  at(number: number): Streamed | undefined {
    return this.#events[number - this.#first];
  }

  #trim(): void {
    const { events, characters } = this.bounds();
    while (this.#events.length > events || (this.#characters > characters && this.#events.length > 1)) {
      const dropped = this.#events.shift();
      if (!dropped) break;
      this.#first += 1;
      this.#characters -= dropped.weight;
      this.heldAfter = dropped.position;
    }
    for (const reader of this.#readers) if (reader.next < this.#first) reader.overtaken();
  }
}
