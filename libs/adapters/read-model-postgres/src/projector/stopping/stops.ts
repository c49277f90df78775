import { LogPosition } from '@app/kernel';
import type { ProjectionName } from '@app/ports';
import { type Kysely, sql } from 'kysely';
import { isProjectionName } from '../../projections/all.js';
import type { ReadTables } from '../../rows/read-tables.js';
import { classOf, type ProjectionFailure } from './failures.js';

/** A projection that stands before an event which it cannot take. */
export type Stop = {
  readonly projection: ProjectionName;
  readonly position: LogPosition;
  readonly stream: string;
  readonly revision: number;
};

/** Those that stand before an event of their own; what nobody can read is not among them. */
export const readStops = async (db: Kysely<ReadTables>): Promise<readonly Stop[]> => {
  const rows = await db
    .withSchema('read')
    .selectFrom('projection_checkpoint')
    .select(['projection', 'stopped_position', 'stopped_stream', 'stopped_revision'])
    .where('stopped_position', 'is not', null)
    .execute();
  return rows.flatMap(({ projection, stopped_position, stopped_stream, stopped_revision }): Stop[] => {
    if (!isProjectionName(projection) || stopped_position === null || stopped_stream === null) return [];
    const position = LogPosition(stopped_position);
    return [{ projection, position, stream: stopped_stream, revision: Number(stopped_revision) }];
  });
};

/** Says to everybody that a projection has stopped before an event. */
export const recordStop = async (
  db: Kysely<ReadTables>,
  { projection, event, cause }: ProjectionFailure,
): Promise<void> => {
  if (!event) return;
  await sql`update read.projection_checkpoint
    set stopped_at = clock_timestamp(), stopped_position = ${event.position}, stopped_stream = ${event.stream},
      stopped_revision = ${event.revision}, stopped_error = ${classOf(cause)}
    where projection = ${projection} and coalesce(position, -1) < ${event.position}`.execute(db);
};

/** The same of all of them, where it is the log that cannot be read any further. */
export const recordUnreadable = async (db: Kysely<ReadTables>, error: unknown): Promise<void> => {
  await sql`update read.projection_checkpoint
    set stopped_at = coalesce(stopped_at, clock_timestamp()), stopped_error = ${classOf(error)}
    where stopped_position is null`.execute(db);
};

/** Whoever projects tries it again. */
export const clearStop = async (db: Kysely<ReadTables>, projection: ProjectionName): Promise<void> => {
  await sql`update read.projection_checkpoint
    set stopped_at = null, stopped_position = null, stopped_stream = null, stopped_revision = null, stopped_error = null
    where projection = ${projection}`.execute(db);
};

/** Moves a projection past an event without a row for it. */
export const passOver = async (
  db: Kysely<ReadTables>,
  schema: 'read' | 'read_rebuild',
  { projection, event }: ProjectionFailure,
): Promise<void> => {
  if (!event) return;
  await sql`update ${sql.table(`${schema}.projection_checkpoint`)}
    set position = ${event.position}, updated_at = clock_timestamp(),
      stopped_at = null, stopped_position = null, stopped_stream = null, stopped_revision = null, stopped_error = null
    where projection = ${projection} and coalesce(position, -1) < ${event.position}`.execute(db);
};
