import { invariant, LogPosition } from '@app/kernel';
import type { ProjectionName } from '@app/ports';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Projection } from '../projections/projection.js';
import type { ReadTables } from '../rows/read-tables.js';

/** The checkpoint of each projection: everything up to it is in its rows. */
export type Positions = ReadonlyMap<ProjectionName, LogPosition | 'start'>;

/** A projection's position, and which of the streams that were asked about it has stopped. */
export type Checkpoint = {
  readonly position: LogPosition | 'start';
  readonly stopped: ReadonlySet<string>;
};

/**
 * Locks the checkpoints until the transaction ends: no other process moves them, or stops or resumes a stream.
 * Stopped streams are read with them, since a rebuild in another process replaces them.
 */
export const lockCheckpoints = async (
  trx: Transaction<ReadTables>,
  projections: readonly Projection[],
  streams: readonly string[],
): Promise<ReadonlyMap<ProjectionName, Checkpoint>> => {
  const positions = await readPositions(trx, projections, 'for update');
  const { rows } = await sql<{ readonly projection: string; readonly stream: string }>`
    select projection, stream from stopped_stream
    where projection = any(${projections.map(({ name }) => name)}::text[]) and stream = any(${streams}::text[])`.execute(
    trx,
  );
  const stoppedIn = (name: string): ReadonlySet<string> =>
    new Set(rows.filter(({ projection }) => projection === name).map(({ stream }) => stream));
  return new Map([...positions].map(([name, position]) => [name, { position, stopped: stoppedIn(name) }]));
};

/** @param forUpdate locks the rows until the transaction ends. */
export const readPositions = async (
  db: Kysely<ReadTables>,
  projections: readonly Projection[],
  forUpdate?: 'for update',
): Promise<Positions> => {
  const names = projections.map(({ name }) => name);
  const rows = await db
    .selectFrom('projection_checkpoint')
    .select(['projection', 'position'])
    .where('projection', 'in', names)
    .orderBy('projection') // One order for all transactions that lock several rows.
    .$if(forUpdate !== undefined, (query) => query.forUpdate())
    .execute();
  const found = new Map(rows.map(({ projection, position }) => [projection, position]));
  return new Map(
    names.map((name) => {
      const position = found.get(name);
      invariant(position !== undefined, `the checkpoint of ${name} is missing from the database`);
      return [name, position === null ? 'start' : LogPosition(position)];
    }),
  );
};

export type Move = {
  readonly projection: ProjectionName;
  readonly to: LogPosition;
  readonly events: number;
};
export const movePositions = async (trx: Transaction<ReadTables>, moves: readonly Move[]): Promise<void> => {
  await sql`update projection_checkpoint as c
    set position = m.position, events = c.events + m.events, updated_at = clock_timestamp()
    from unnest(
      ${moves.map(({ projection }) => projection)}::text[],
      ${moves.map(({ to }) => to)}::bigint[],
      ${moves.map(({ events }) => events)}::bigint[]
    ) as m (projection, position, events)
    where c.projection = m.projection`.execute(trx);
};

export const isBefore = (a: LogPosition | 'start', b: LogPosition | 'start'): boolean =>
  b !== 'start' && (a === 'start' || a < b);

/** The one that is behind all others. */
export const lowestOf = (positions: Positions): LogPosition | 'start' =>
  [...positions.values()].reduce((lowest, position) => (isBefore(position, lowest) ? position : lowest));
export const highestOf = (positions: Positions): LogPosition | 'start' =>
  [...positions.values()].reduce((highest, position) => (isBefore(highest, position) ? position : highest));
