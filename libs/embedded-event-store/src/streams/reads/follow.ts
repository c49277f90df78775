import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import type { EventLog } from '../../log/event-log.js';
import type { Store } from '../../store.js';
import { streamDeleted } from '../../wire/grpc-failure.js';
import type { Outlet } from '../../wire/outlet.js';
import { Cursor, PAGE_COUNT } from './cursor.js';
import { deliveryOf } from './delivery.js';
import type { EventFilter } from './event-filter.js';
import type { ReadPlan, Source } from './read-plan.js';
import { readReplies } from './read-replies.js';

/**
 * A catch-up subscription. It always reads from its cursor, and commits only wake it. So no event is lost or
 * duplicated between history and live events, and a slow reader holds one page.
 */
export const follow = async (store: Store, plan: ReadPlan, outlet: Outlet): Promise<void> => {
  const { log } = store;
  const next = firstOfSubscription(log, plan);
  const cursor = new Cursor(log.reader, plan.source, false, next);
  const progress = plan.filter && new SearchProgress(plan.filter, next - 1);
  const alarm = new Alarm(log, plan.source, outlet);
  let live = false;

  await outlet.write(readReplies.confirmation(randomUUID()));
  while (outlet.open) {
    alarm.reset();
    if (plan.source.kind === 'stream' && log.reader.isTombstoned(plan.source.stream))
      throw streamDeleted(plan.source.stream);
    const page = cursor.read(PAGE_COUNT);
    if (page.length === 0) {
      if (!live) {
        live = true;
        if (progress?.position !== undefined) await outlet.write(readReplies.checkpoint(progress.position));
        await outlet.write(readReplies.caughtUp());
      }
      await alarm.rung();
      continue;
    }
    // A full page after going live: the reader lagged behind, and gets another caught-up message later.
    if (page.length === PAGE_COUNT) live = false;
    for (const event of page) {
      if (!outlet.open) return;
      if (!plan.filter || plan.filter.matches(event)) {
        const reply = readReplies.event(deliveryOf(log.reader, plan, event), plan.structuredIds);
        if (!outlet.send(reply)) await outlet.drained();
      }
      if (progress?.considered(event.position)) await outlet.write(readReplies.checkpoint(event.position));
    }
    await yieldToLoop();
  }
};

/** Exclusive of the given place: a subscriber names the last event that it has. */
const firstOfSubscription = (log: EventLog, { source, place }: ReadPlan): number => {
  if (place === 'start') return 0;
  if (place !== 'end') return place.at + 1;
  if (source.kind === 'all') return log.end;
  return (log.reader.head(source.stream)?.last ?? -1) + 1;
};

/** Counts the considered events of a filtered subscription, matching or not. */
class SearchProgress {
  #considered = 0;
  #position: number | undefined;

  /** `before`: the position before the first considered event; negative if there is none. */
  constructor(
    private readonly filter: EventFilter,
    before: number,
  ) {
    this.#position = before < 0 ? undefined : before;
  }

  get position(): number | undefined {
    return this.#position;
  }

  /** Returns true when a checkpoint is due. */
  considered(position: number): boolean {
    this.#position = position;
    this.#considered = (this.#considered + 1) % this.filter.checkpointInterval;
    return this.#considered === 0;
  }
}

/** Signals new events or the end of the call. A signal without a waiting reader is kept. */
class Alarm {
  #rang = false;
  #wake: (() => void) | undefined;

  constructor(log: EventLog, source: Source, outlet: Outlet) {
    const stop = log.signal.listen(source.kind === 'all' ? undefined : source.stream, () => this.#ring());
    outlet.onEnd(() => {
      stop();
      this.#ring();
    });
  }

  reset(): void {
    this.#rang = false;
  }

  async rung(): Promise<void> {
    if (this.#rang) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }

  #ring(): void {
    this.#rang = true;
    this.#wake?.();
  }
}
