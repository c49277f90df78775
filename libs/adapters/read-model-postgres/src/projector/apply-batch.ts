import { type LogPosition, sessionOf, tenantOf } from '@app/kernel';
import type { ProjectionName, RecordedInLog, StoredEvent, UnreadableEvent } from '@app/ports';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { LogPart } from '../log/read-up-to.js';
import { logEvents, type Projection } from '../projections/projection.js';
import type { ReadTables } from '../rows/read-tables.js';
import { isBefore, type Move, movePositions, type Positions, readPositions } from './checkpoints.js';
import { isOutage, ProjectionFailure } from './stopping/failures.js';

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
  const moves: Move[] = [];
  for (const projection of projections) {
    const at = positions.get(projection.name) ?? 'start';
    if (!isBefore(at, part.position)) continue;
    if (part.unreadable) requireUnconcerned(projection, part.unreadable);
    const fresh = part.events.filter(({ position }) => isBefore(at, position));
    const events = fresh.length > 0 ? await take(trx, projection, fresh) : 0;
    moves.push({ projection: projection.name, to: part.position, events });
    moved.set(projection.name, part.position);
  }
  if (moves.length > 0) await movePositions(trx, moves);
  return moved;
};

/**
 * What cannot be read stops whatever is made of the events of such streams, and nothing else.
 *
 * @throws {ProjectionFailure}
 * @throws {AppError} `corrupt-event` in a stream that is nobody's: then nobody can say whom it concerns.
 */
const requireUnconcerned = (
  { name, apply, applyTenants, applyAll }: Projection,
  unreadable: UnreadableEvent,
): void => {
  const isOfSession = sessionOf(unreadable.stream) !== undefined;
  if (!isOfSession && tenantOf(unreadable.stream) === undefined) throw unreadable.error;
  if (applyAll ?? (isOfSession ? apply : applyTenants))
    throw new ProjectionFailure(name, [unreadable], unreadable.error);
};

/**
 * Returns how many of the events it took.
 *
 * @throws {ProjectionFailure} where it is this projection that fails, not the database.
 */
const take = async (
  trx: Transaction<ReadTables>,
  { name, apply, applyTenants, applyAll }: Projection,
  events: readonly RecordedInLog<StoredEvent>[],
): Promise<number> => {
  const { all, sessions, tenants } = logEvents(events);
  try {
    if (applyAll) {
      await applyAll(trx, all);
      return all.length;
    }
    if (sessions.length > 0) await apply?.(trx, sessions);
    if (tenants.length > 0) await applyTenants?.(trx, tenants);
    return (apply ? sessions.length : 0) + (applyTenants ? tenants.length : 0);
  } catch (error) {
    throw isOutage(error) ? error : new ProjectionFailure(name, events, error);
  }
};

/** Names of tables mean those of the schema, until the transaction ends. */
export const useSchema = async (trx: Transaction<ReadTables>, schema: Schema): Promise<void> => {
  await sql`set local search_path to ${sql.id(schema)}`.execute(trx);
};
