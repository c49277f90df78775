import { randomUUID } from 'node:crypto';
import { type EventStoreDBClient, NO_STREAM } from '@eventstore/db-client';
import { counted } from '../support/events.js';

/** One writer with a stream of its own. It knows what was acknowledged, and repeats what it does not know of. */
export class Writer {
  readonly stream = `writer-${randomUUID()}`;
  /** The ids of what was acknowledged; the place of an id is its revision. */
  readonly acknowledged: string[] = [];
  #pending: string | undefined;

  /** Appends until the server is gone. */
  async writeOn(client: EventStoreDBClient, acknowledged: () => void): Promise<void> {
    try {
      for (;;) {
        await this.#append(client);
        acknowledged();
      }
    } catch {
      // Killed: nobody knows of the append under way. It is repeated word for word.
    }
  }

  /** Learns what became of the append that nobody answered. */
  async settle(client: EventStoreDBClient): Promise<void> {
    if (this.#pending !== undefined) await this.#append(client);
  }

  async #append(client: EventStoreDBClient): Promise<void> {
    this.#pending ??= randomUUID();
    const at = this.acknowledged.length;
    const { nextExpectedRevision } = await client.appendToStream(this.stream, counted(at, this.#pending), {
      expectedRevision: at === 0 ? NO_STREAM : BigInt(at - 1),
    });
    if (nextExpectedRevision !== BigInt(at))
      throw new Error(`acknowledged as ${nextExpectedRevision}, not ${at}`);
    this.acknowledged.push(this.#pending);
    this.#pending = undefined;
  }
}
