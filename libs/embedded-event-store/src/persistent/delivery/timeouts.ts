import type { EventId } from '../../log/event-id.js';

type Deadlines = ReadonlyMap<EventId, { readonly deadline: number }>;

/** EventStoreDB checks once a second: an answer before the check is in time, even after a shorter timeout. */
const TICK_MS = 1_000;

/** Reports expired messages every second. All have the same timeout: the oldest delivery expires first. */
export class Timeouts {
  #timer: NodeJS.Timeout | undefined;

  /** `outstanding`: oldest delivery first. `expired` must remove its messages from it. */
  constructor(
    private readonly outstanding: Deadlines,
    private readonly expired: (ids: readonly EventId[]) => void,
  ) {}

  /** Must be called after each delivery. */
  watch(): void {
    if (this.#timer) return;
    const [oldest] = this.outstanding.values();
    if (!oldest || oldest.deadline === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#ring(), TICK_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #ring(): void {
    this.#timer = undefined;
    const now = Date.now();
    const late: EventId[] = [];
    for (const [id, { deadline }] of this.outstanding) {
      if (deadline > now) break;
      late.push(id);
    }
    this.expired(late);
    this.watch();
  }
}
