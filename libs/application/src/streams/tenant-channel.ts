import type { LogPosition } from '@app/kernel';
import type { Streamed } from './streamed-event.js';

/** Whoever reads a channel: its place, and how it is called. */
export type ChannelReader = {
  /** The number of the event that it takes next. */
  readonly next: number;
  wake(): void;
  /** The event that it would take next is not held any more. */
  overtaken(): void;
};

export type ChannelBounds = {
  /** Events held. */
  readonly events: number;
  /** UTF-16 units of their text held. */
  readonly characters: number;
};

export const isAfter = (position: LogPosition | 'start', other: LogPosition | 'start'): boolean =>
  position !== 'start' && (other === 'start' || position > other);

/**
 * The newest events of one tenant, held once for all its readers, numbered as they come. Each reader is a number: a
 * slow one costs nothing, and is overtaken when its number falls out at the old end.
 */
export class TenantChannel {
  readonly #events: Streamed[] = [];
  readonly #readers = new Set<ChannelReader>();
  #first = 0;
  #characters = 0;

  constructor(
    /** Everything of the tenant after this place is held, up to where the hub stands. */
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

  /** The number of the first event after `position`; `undefined` where not all since then is held. */
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
