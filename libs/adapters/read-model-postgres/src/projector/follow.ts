import { AppError } from '@app/kernel';
import type { Subscriptions } from '@app/ports';
import type { Kysely } from 'kysely';
import { readBatches } from '../log/read-batches.js';
import { PROJECTIONS } from '../projections/all.js';
import type { ReadTables } from '../rows/read-tables.js';
import { applyBatch } from './apply-batch.js';
import { lowestOf, readPositions } from './checkpoints.js';

const EVENTS_MAX = 500;

/**
 * Projects from the checkpoints on, until `signal` aborts, or somebody else has moved a checkpoint.
 *
 * @param carefully begins with single events, and doubles: what cannot be projected then holds up little beside it.
 */
export const follow = async (
  connection: Kysely<ReadTables>,
  subscriptions: Subscriptions,
  signal: AbortSignal,
  { carefully, applied }: { readonly carefully: boolean; readonly applied: () => void },
): Promise<void> => {
  let eventsMax = carefully ? 1 : EVENTS_MAX;
  let positions = await readPositions(connection.withSchema('read'), PROJECTIONS);
  for await (const batch of readBatches(subscriptions, lowestOf(positions), signal, () => eventsMax)) {
    const { events, position } = batch;
    if (position === undefined) continue;
    const moved = await applyBatch(connection, 'read', PROJECTIONS, positions, { events, position });
    if (moved === 'overtaken') return;
    positions = moved;
    applied();
    eventsMax = Math.min(eventsMax * 2, EVENTS_MAX);
  }
  if (!signal.aborted) throw new AppError('event-store-unavailable', 'the log ended the subscription');
};
