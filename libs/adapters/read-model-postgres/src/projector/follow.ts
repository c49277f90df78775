import { AppError } from '@app/kernel';
import type { Kysely } from 'kysely';
import { readBatches } from '../log/read-batches.js';
import type { Projection } from '../projections/projection.js';
import type { ReadTables } from '../rows/read-tables.js';
import { applyBatch } from './apply-batch.js';
import { lowestOf, readPositions } from './checkpoints.js';
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
  for await (const batch of readBatches(subscriptions, lowestOf(positions), until, () => eventsMax)) {
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
    eventsMax = Math.min(eventsMax * 2, EVENTS_MAX);
  }
  if (!until.aborted) throw new AppError('event-store-unavailable', 'the log ended the subscription');
};
