import { AppError, IsoTime, LogPosition, Revision, type StreamName } from '@app/kernel';
import type { ProjectionName, StoppedStream, Subscriptions } from '@app/ports';
import { type Kysely, type Selectable, sql } from 'kysely';
import { isProjectionName } from '../projections/all.js';
import type { ReadTables, StoppedStreamTable } from '../rows/read-tables.js';

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
type Retried = { readonly projection?: ProjectionName; readonly position?: LogPosition };

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

/** Whether waiting is all that can be done, and may help: the log, the database or its disk is not there. */
export const isOutage = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.code === 'event-store-unavailable' ||
    error.code === 'postgres-unavailable' ||
    error.code === 'disk-full');

/** Whether `lock_timeout` ended the statement. */
export const isLockTimeout = (error: unknown): boolean => sqlStateOf(error) === '55P03';

/**
 * Classes of SQLSTATE that speak of the values of a row: cardinality, data, constraints, triggers, program limits. All
 * others speak of the server, its schema or its load.
 * Source: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const OF_VALUES = /^(09|21|22|23|27|2F|38|39|44|54|P0)/;

/**
 * Whether the events are at fault that a row was made of: their decoding, their folding, or a value that no row takes.
 * A failure of the log or the database is not: the same events may succeed the next moment.
 */
export const isPoison = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  if (state !== undefined) return OF_VALUES.test(state);
  return !isOutage(error) && !isOfSystem(error);
};

/** Returns whether the database caused the failure of a statement; the batch is then retried. */
export const isOfDatabase = (error: unknown): boolean =>
  isOutage(error) || isOfSystem(error) || sqlStateOf(error) !== undefined;

/** Whether an error comes from a failed system call, such as one on a socket. */
const isOfSystem = (error: unknown): boolean => typeof fieldOf(error, 'syscall') === 'string';

const sqlStateOf = (error: unknown): string | undefined => {
  const code = fieldOf(error, 'code');
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && fieldOf(error, 'severity') !== undefined
    ? code
    : undefined;
};

const fieldOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;

/** The rows of a stream have stopped in a projection. */
export class StreamStopped extends AppError {
  readonly projection: ProjectionName;

  constructor({ projection, stream, revision, type, error }: Omit<StoppedStream, 'at' | 'retryRequested'>) {
    super(
      'projection-stopped',
      `projection "${projection}" cannot take event ${revision} of ${stream} (${type}): ${error}`,
    );
    this.projection = projection;
  }
}

/** The code of an error: its words may quote message content. */
export const classOf = (error: unknown): string => {
  if (error instanceof AppError) return error.code;
  const name = error instanceof Error ? error.name : 'unknown';
  const code = fieldOf(error, 'code');
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? `${name} ${code}` : name;
};

const EVENTS_A_PAGE = 500;

/**
 * Returns whether an operator skipped the event in the projection. The decision is in the event's stream, after the
 * event, possibly after other unreadable events.
 */
export const isSkipped = async (
  subscriptions: Pick<Subscriptions, 'streamPage'>,
  { projection, stream, revision, position }: StreamStop,
  signal: AbortSignal,
): Promise<boolean> => {
  for (let from = position; ; ) {
    const { items, next } = await subscriptions.streamPage({ stream, from, limit: EVENTS_A_PAGE }, signal);
    for (const item of items) {
      if (item.kind !== 'event') continue;
      const { event } = item.recorded;
      if (event.type !== 'ProjectionSkipped' && event.type !== 'TenantEventSkipped') continue;
      if (event.data.projection === projection && event.data.revision === revision) return true;
    }
    if (next === undefined) return false;
    from = next;
  }
};
