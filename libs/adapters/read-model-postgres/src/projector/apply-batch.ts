import type { LogPosition } from '@app/kernel';
import type { ProjectionName } from '@app/ports';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { LogPart } from '../log/read-up-to.js';
import { logEvents, type Projection } from '../projections/projection.js';
import type { ReadTables } from '../rows/read-tables.js';
import { isBefore, type Move, movePositions, type Positions, readPositions } from './checkpoints.js';

/** The tables that serve, and those that are built anew. */
export type Schema = 'read' | 'read_rebuild';

/**
 * Applies a part of the log to every projection that is behind it, each with its checkpoint, in one transaction: a
 * crash loses nothing and repeats nothing. `overtaken` means that somebody else has moved a checkpoint from where
 * this process believes it to be: nothing was done; resume from the table.
 */
export const applyBatch = (
  connection: Kysely<ReadTables>,
  schema: Schema,
  projections: readonly Projection[],
  believed: Positions,
  part: LogPart,
): Promise<Positions | 'overtaken'> =>
  connection.transaction().execute(async (trx) => {
    await useSchema(trx, schema);
    // What is built is begun anew after a crash: its commits wait for no disk.
    if (schema === 'read_rebuild') await sql`set local synchronous_commit to off`.execute(trx);
    // The checkpoints come first: their row locks make another process wait here, not half way through.
    const positions = await readPositions(trx, projections, 'for update');
    for (const [name, position] of positions) if (believed.get(name) !== position) return 'overtaken';
    return applyTo(trx, projections, positions, part);
  });

/** For whoever has locked the checkpoints: applies what is new to each projection, and moves them. */
export const applyTo = async (
  trx: Transaction<ReadTables>,
  projections: readonly Projection[],
  positions: Positions,
  part: LogPart,
): Promise<Positions> => {
  const moved = new Map<ProjectionName, LogPosition | 'start'>(positions);
  const { sessions, tenants } = logEvents(part.events);
  const moves: Move[] = [];
  for (const projection of projections) {
    const at = positions.get(projection.name) ?? 'start';
    if (!isBefore(at, part.position)) continue;
    const events =
      (await applyFresh(trx, projection.apply, sessions, at)) +
      (await applyFresh(trx, projection.applyTenants, tenants, at));
    moves.push({ projection: projection.name, to: part.position, events });
    moved.set(projection.name, part.position);
  }
  if (moves.length > 0) await movePositions(trx, moves);
  return moved;
};

/** Returns how many events it took. */
const applyFresh = async <One extends { readonly position: LogPosition }>(
  trx: Transaction<ReadTables>,
  apply: ((trx: Transaction<ReadTables>, events: readonly One[]) => Promise<void>) | undefined,
  events: readonly One[],
  at: LogPosition | 'start',
): Promise<number> => {
  const fresh = apply ? events.filter(({ position }) => isBefore(at, position)) : [];
  if (fresh.length > 0) await apply?.(trx, fresh);
  return fresh.length;
};

/** Names of tables mean those of the schema, until the transaction ends. */
export const useSchema = async (trx: Transaction<ReadTables>, schema: Schema): Promise<void> => {
  await sql`set local search_path to ${sql.id(schema)}`.execute(trx);
};
