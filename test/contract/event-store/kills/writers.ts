import { randomUUID } from 'node:crypto';
import { type EventStoreDBClient, NO_STREAM } from '@eventstore/db-client';
import { counted } from '../support/events.js';

/** A writer with its own stream, which tracks acknowledgements and retries appends of unknown outcome. */
export class Writer {
  readonly stream = `writer-${randomUUID()}`;
  /** The acknowledged ids; the index is the revision. */
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
      // The outcome of the append in flight is unknown after the kill: it is retried unchanged.
    }
  }

  /** Retries the unanswered append to learn its outcome. */
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
