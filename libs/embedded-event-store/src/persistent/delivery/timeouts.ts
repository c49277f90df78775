import type { EventId } from '../../log/event-id.js';

type Deadlines = ReadonlyMap<EventId, { readonly deadline: number }>;

/** EventStoreDB looks once a second: an answer that comes before that is in time, however short the timeout is. */
const TICK_MS = 1_000;

/** Tells every second which messages have run out of time. All have the same time: the oldest delivery is the first. */
export class Timeouts {
  #timer: NodeJS.Timeout | undefined;

  /** `outstanding`: the oldest delivery first. `expired` takes its messages out of it. */
  constructor(
    private readonly outstanding: Deadlines,
    private readonly expired: (ids: readonly EventId[]) => void,
  ) {}

  /** To be called after a delivery. */
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
