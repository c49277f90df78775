import { NUMBER_MAX } from '../../log/keys.js';
import type { LogReader } from '../../log/log-reader.js';
import type { StoredEvent } from '../../log/record.js';
import type { Source } from './read-plan.js';

/** Events per synchronous read; between two reads the event loop runs. */
export const PAGE_COUNT = 128;

/** A reader's position in a source. Returns every event exactly once. */
export class Cursor {
  #next: number | undefined;

  /** `next`: the first revision or position to read, inclusive; `undefined` if there is nothing to read. */
  constructor(
    private readonly log: LogReader,
    private readonly source: Source,
    private readonly backwards: boolean,
    next: number | undefined,
  ) {
    this.#next = next;
  }

  /** Returns the next events, at most `limit`; none at the end of the committed events. */
  read(limit: number): readonly StoredEvent[] {
    if (this.#next === undefined || this.#next > NUMBER_MAX || limit <= 0) return [];
    const page = { from: this.#next, backwards: this.backwards, limit: Math.min(limit, PAGE_COUNT) };
    const events =
      this.source.kind === 'all' ? this.log.readAll(page) : this.log.readStream(this.source.stream, page);
    const last = events.at(-1);
    if (last) this.#moveBeyond(this.source.kind === 'all' ? last.position : last.revision);
    return events;
  }

  #moveBeyond(place: number): void {
    if (!this.backwards) this.#next = place + 1;
    else this.#next = place === 0 ? undefined : place - 1;
  }
}
