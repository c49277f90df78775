import { AppError } from '@app/kernel';
import type { Kysely } from 'kysely';
import { readBatches, type Source } from '../log/read-batches.js';
import type { Projection } from '../projections/projection.js';
import type { ReadTables } from '../rows/read-tables.js';
import { applyBatch } from './apply-batch.js';
import { lowestOf, readPositions } from './checkpoints.js';
import { BatchPace } from './pacing/batch-pace.js';
import { pause } from './pacing/pause.js';
import type { ProjectorParts } from './parts.js';

const EVENTS_MAX = 500;

export type FollowOptions = {
  readonly projections: readonly Projection[];
  /** Begins with single events, and doubles: what cannot be projected then holds up little beside it. */
  readonly carefully: boolean;
  /** Ends the following without ending the projector. */
  readonly changed: AbortSignal;
};

/**
 * Projects from the checkpoints on, until `signal` or `changed` aborts, or somebody else has moved a checkpoint.
 *
 * @throws {ProjectionFailure}
 */
export const follow = async (
  connection: Kysely<ReadTables>,
  { subscriptions, progress, observer }: ProjectorParts,
  signal: AbortSignal,
  { projections, carefully, changed }: FollowOptions,
): Promise<void> => {
  const until = AbortSignal.any([signal, changed]);
  const names = projections.map(({ name }) => name);
  const around = observer.around ?? ((_, work) => work());
  let eventsMax = carefully ? 1 : EVENTS_MAX;
  let positions = await readPositions(connection.withSchema('read'), projections);
  const pace = new BatchPace();
  const all: Source = (after, stop) => subscriptions.catchUpAll(after, stop);
  for await (const batch of readBatches(all, lowestOf(positions), until, () => eventsMax)) {
    const { events, position, unreadable } = batch;
    if (position === undefined) continue;
    const believed = positions;
    const moved = await around(events, () =>
      applyBatch(connection, 'read', projections, believed, {
        events,
        position,
        ...(unreadable && { unreadable }),
      }),
    );
    if (moved === 'overtaken') return;
    positions = moved;
    progress.advance();
    observer.applied?.(names, events.length);
    // What is far behind does not wait.
    if (events.length < eventsMax) await pause(pace.afterBatch(), until);
    eventsMax = Math.min(eventsMax * 2, EVENTS_MAX);
  }
  if (!until.aborted) throw new AppError('event-store-unavailable', 'the log ended the subscription');
};
