import { describedStream, isDeletion } from '../events/metadata-event.js';
import type { RawEvent } from '../events/raw-event.js';

/**
 * Tracks soft-deleted streams of the target. When an event reopens one, the target itself writes metadata after it,
 * as the source did: that is the next event in the source's metadata stream.
 */
export class Deletions {
  readonly #deleted = new Set<string>();
  readonly #remade = new Set<string>();

  /** Records an event of the target. */
  see(event: RawEvent): void {
    const described = describedStream(event);
    if (described === undefined) return;
    if (isDeletion(event)) this.#deleted.add(described);
    else this.#deleted.delete(described);
  }

  /** Whether the target itself wrote the counterpart of `event`; must be called once per event, in order. */
  isRemade(event: RawEvent): boolean {
    return this.#remade.delete(event.stream);
  }

  /** Records an event that is about to be written. */
  write(event: RawEvent): void {
    const stream = describedStream(event) ?? event.stream;
    const opens = this.#deleted.has(stream);
    this.see(event);
    if (!opens) return;
    this.#deleted.delete(stream);
    this.#remade.add(`$$${stream}`);
  }
}
