import { IsoTime, LogPosition, Revision, type StreamName } from '@app/kernel';
import type { ProjectionName, StoppedStream } from '@app/ports';
import { type Kysely, type Selectable, sql } from 'kysely';
import { isProjectionName } from '../../projections/all.js';
import type { ReadTables, StoppedStreamTable } from '../../rows/read-tables.js';

/** A stream whose rows a projection stops, before the event at `revision`. */
export type StreamStop = Omit<StoppedStream, 'at' | 'retryRequested'>;

/** Records a stop in the schema of the transaction. One at the same event as before keeps its time. */
export const recordStop = async (
  trx: Kysely<ReadTables>,
  { projection, stream, revision, position, type, error }: StreamStop,
): Promise<void> => {
  await sql`insert into stopped_stream as old (projection, stream, revision, position, type, stopped_at, error)
    values (${projection}, ${stream}, ${revision}, ${position}, ${type}, clock_timestamp(), ${error})
    on conflict (projection, stream) do update set
      stopped_at = case when old.position = excluded.position then old.stopped_at else excluded.stopped_at end,
      revision = excluded.revision, position = excluded.position, type = excluded.type, error = excluded.error,
      retry_requested = false`.execute(trx);
};

/** Moves a stop to a later event that has not been tried yet. */
export const moveStop = async (
  trx: Kysely<ReadTables>,
  { projection, stream }: StreamStop,
  next: { readonly revision: number; readonly position: LogPosition },
): Promise<void> => {
  await sql`update stopped_stream set revision = ${next.revision}, position = ${next.position}
    where projection = ${projection} and stream = ${stream}`.execute(trx);
};

export const removeStop = async (
  trx: Kysely<ReadTables>,
  { projection, stream }: StreamStop,
): Promise<void> => {
  await sql`delete from stopped_stream where projection = ${projection} and stream = ${stream}`.execute(trx);
};

/** The stopped streams to retry: those of one projection, of one event, or all. */
export type Retried = { readonly projection?: ProjectionName; readonly position?: LogPosition };

/** Requests a retry of stopped streams by the projecting process; returns their number. */
export const requestRetry = async (
  db: Kysely<ReadTables>,
  { projection, position }: Retried,
): Promise<number> => {
  const { numAffectedRows } = await sql`update read.stopped_stream set retry_requested = true
    where ${projection === undefined ? sql`true` : sql`projection = ${projection}`}
      and ${position === undefined ? sql`true` : sql`position = ${position}`}`.execute(db);
  return Number(numAffectedRows ?? 0n);
};

/** The next stop that shall be tried again, in the order of the log. */
export const nextRetry = async (db: Kysely<ReadTables>): Promise<StreamStop | undefined> => {
  const { rows } = await sql<Selectable<StoppedStreamTable>>`select * from read.stopped_stream
    where retry_requested order by position, projection limit 1`.execute(db);
  return rows.flatMap((row) => stoppedStreamOf(row))[0];
};

/** Converts a row to the port's type; `undefined` for a projection unknown to this version. */
export const stoppedStreamOf = (row: Selectable<StoppedStreamTable>): readonly StoppedStream[] => {
  const { projection, stream, revision, position, type, stopped_at, error, retry_requested } = row;
  if (!isProjectionName(projection)) return [];
  return [
    {
      projection,
      stream: stream as StreamName, // Written by recordStop alone, from a place in the log.
      revision: Revision(Number(revision)),
      position: LogPosition(position),
      type,
      at: IsoTime(stopped_at),
      error,
      retryRequested: retry_requested,
    },
  ];
};
