import { AppError } from '@app/kernel';
import type { Kysely } from 'kysely';
import { readBatches, type Source } from '../log/read-batches.js';
import type { ReadTables } from '../rows/read-tables.js';
import { applyBatch } from './apply-batch.js';
import { lowestOf, readPositions } from './checkpoints.js';
import { type ProjectorParts, pause } from './progress.js';

import { isSkipped, type StreamStop, StreamStopped } from './stopped-streams.js';

/** Events of a batch of a projector that is behind: a dozen statements and the rows that they share are paid once for all. */
const EVENTS_MAX = 2_000;

/**
 * Projects from the checkpoints on, until `signal` or `changed` aborts, or another process has moved a checkpoint.
 *
 * @throws errors not caused by an event; rows and checkpoints are those of the last batch.
 */
export const follow = async (
  connection: Kysely<ReadTables>,
  parts: ProjectorParts,
  signal: AbortSignal,
  changed: AbortSignal,
): Promise<void> => {
  const { subscriptions, projections, progress, observer } = parts;
  const until = AbortSignal.any([signal, changed]);
  const names = projections.map(({ name }) => name);
  const around = observer.around ?? ((_, work) => work());
  let positions = await readPositions(connection.withSchema('read'), projections);
  const pace = new BatchPace();
  const all: Source = (after, stop) => subscriptions.catchUpAll(after, stop);
  for await (const batch of readBatches(all, lowestOf(positions), until, () => EVENTS_MAX)) {
    const { events, position, unreadable, hasNext } = batch;
    if (position === undefined) continue;
    const part = { events, position, ...(unreadable && { unreadable }) };
    const believed = positions;
    const applied = await around(events, () =>
      applyBatch(connection, { ...serving(parts, signal), part }, believed),
    );
    if (applied === 'overtaken') return;
    positions = applied.positions;
    announceStops(parts, applied.stops);
    progress.advance();
    observer.applied?.(names, events.length);
    // A projector that is behind does not pause, however small the batches between unreadable events are.
    if (!hasNext) await pause(pace.afterBatch(), until);
  }
  if (!until.aborted) throw new AppError('event-store-unavailable', 'the log ended the subscription');
};

/** Returns the handlers of a projector for the serving tables. */
export const serving = ({ subscriptions, projections }: ProjectorParts, signal: AbortSignal) => ({
  schema: 'read' as const,
  projections,
  isSkipped: (stop: StreamStop) => isSkipped(subscriptions, stop, signal),
});

export const announceStops = ({ observer, onError }: ProjectorParts, stops: readonly StreamStop[]): void => {
  for (const stop of stops) {
    onError(new StreamStopped(stop));
    observer.stopped?.(stop);
  }
};

/** Sustained delay between batches in milliseconds, and the size of a burst. */
const APART_MS = 100;
const AT_ONCE = 10;

/**
 * A rate limit for batches of a projector that has caught up. A batch costs the same dozen statements for one event
 * or a hundred: single events are written at once, and under continuous load each batch takes all events since the
 * last.
 */
export class BatchPace {
  /** When the batches so far are paid for. */
  private paidAt: number;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.paidAt = this.now();
  }

  /** Milliseconds to wait before the next batch. */
  afterBatch(): number {
    const now = this.now();
    this.paidAt = Math.max(this.paidAt, now) + APART_MS;
    return Math.max(0, this.paidAt - now - AT_ONCE * APART_MS);
  }
}
