import { describedStream, isDeletion } from '../events/metadata-event.js';
import type { RawEvent } from '../events/raw-event.js';

/**
 * The streams that are deleted in the target, and may be opened again. When an event opens one, the target writes
 * metadata behind it by itself, as the source did: that is what the source has next in the metadata of the stream.
 */
export class Deletions {
  readonly #deleted = new Set<string>();
  readonly #remade = new Set<string>();

  /** The target has `event`. */
  see(event: RawEvent): void {
    const described = describedStream(event);
    if (described === undefined) return;
    if (isDeletion(event)) this.#deleted.add(described);
    else this.#deleted.delete(described);
  }

  /** Whether the target has written by itself what `event` is a record of; asked once for each event, in order. */
  isRemade(event: RawEvent): boolean {
    return this.#remade.delete(event.stream);
  }

  /** `event` is going to be written. */
  write(event: RawEvent): void {
    const stream = describedStream(event) ?? event.stream;
    const opens = this.#deleted.has(stream);
    this.see(event);
    if (!opens) return;
    this.#deleted.delete(stream);
    this.#remade.add(`$$${stream}`);
  }
}
