import { IsoTime, LogPosition } from '@app/kernel';
import {
  type Page,
  PROJECTION_NAMES,
  type ProjectionStatus,
  type StoppedStream,
  type StoppedStreamQuery,
} from '@app/ports';
import { type Kysely, type Selectable, sql } from 'kysely';
import { stoppedStreamOf } from '../projector/stopped-streams.js';
import type { ReadTables, StoppedStreamTable } from '../rows/read-tables.js';

/** Counted no further: health asks for it twice a second. */
const COUNTED_MAX = 10_000;

/** One for each projection, always in the same order. `db`: with the schema of the rows. */
export const projectionStatus = async (db: Kysely<ReadTables>): Promise<readonly ProjectionStatus[]> => {
  const rows = await db
    .selectFrom('projection_checkpoint')
    .selectAll()
    .limit(PROJECTION_NAMES.length)
    .execute();
  const { rows: counts } = await sql<{ readonly projection: string; readonly streams: bigint }>`
    select projection, count(*) as streams
    from (select projection from read.stopped_stream limit ${sql.lit(COUNTED_MAX)}) as counted
    group by projection`.execute(db);
  return PROJECTION_NAMES.map((name) => {
    const row = rows.find(({ projection }) => projection === name);
    return {
      projection: name,
      position: row?.position == null ? null : LogPosition(row.position),
      events: Number(row?.events ?? 0n),
      updatedAt: row?.updated_at ? IsoTime(row.updated_at) : null,
      stoppedStreams: Number(counts.find(({ projection }) => projection === name)?.streams ?? 0n),
    };
  });
};

/** Returns stopped streams in log order; those of one event are on one page. */
export const stoppedStreams = async (
  db: Kysely<ReadTables>,
  { projection, position, after, limit }: StoppedStreamQuery,
): Promise<Page<StoppedStream>> => {
  const { rows } = await sql<Selectable<StoppedStreamTable>>`select * from read.stopped_stream
    where ${projection === undefined ? sql`true` : sql`projection = ${projection}`}
      and ${position === undefined ? sql`true` : sql`position = ${position}`}
      and ${after === undefined ? sql`true` : sql`position > ${after}`}
    order by position fetch first ${limit} rows with ties`.execute(db);
  const items = rows.flatMap((row) => stoppedStreamOf(row));
  const last = items.at(-1);
  return { items, next: last && rows.length >= limit ? last.position : null };
};
