import { type Kysely, sql, type Transaction } from 'kysely';
import type { Projection } from '../projections/projection.js';
import type { ReadTables } from '../rows/read-tables.js';
import { copyAccess } from './copy-access.js';

/** Creates empty tables for projections beside the serving ones, with the same definition. */
export const createTables = (db: Kysely<ReadTables>, projections: readonly Projection[]): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await dropTables(trx); // What a rebuild left that was cut short.
    await sql`create schema read_rebuild`.execute(trx);
    for (const table of [
      'projection_checkpoint',
      'stopped_stream',
      ...projections.flatMap(({ tables }) => tables),
    ]) {
      await sql`create table ${building(table)} (like ${serving(table)} including all)`.execute(trx);
    }
    const rows = projections.map(({ name }) => ({ projection: name, events: 0n, position: null }));
    await trx
      .withSchema('read_rebuild')
      .insertInto('projection_checkpoint')
      .values(rows.map((row) => ({ ...row, updated_at: null })))
      .execute();
  });

export const dropTables = async (db: Kysely<ReadTables>): Promise<void> => {
  await sql`drop schema if exists read_rebuild cascade`.execute(db);
};

/** Replaces the serving tables of a projection by the new ones, and returns their number of rows. */
export const exchangeTables = async (
  trx: Transaction<ReadTables>,
  { tables }: Projection,
): Promise<number> => {
  const { rows } = await sql<{ rows: bigint }>`
    select count(*) as rows from ${building(tables[0])}`.execute(trx);
  for (const table of tables) {
    await copyAccess(trx, table);
    await sql`drop table ${serving(table)}`.execute(trx);
    await sql`alter table ${building(table)} set schema read`.execute(trx);
  }
  return Number(rows[0]?.rows ?? 0n);
};

/** The same with its checkpoint, and with the streams that it stops; returns how many events were counted. */
export const exchangeCheckpoint = async (
  trx: Transaction<ReadTables>,
  { name }: Projection,
): Promise<number> => {
  const { rows } = await sql<{ events: bigint }>`
    update read.projection_checkpoint as c
    set position = b.position, events = b.events, updated_at = clock_timestamp()
    from read_rebuild.projection_checkpoint as b
    where c.projection = ${name} and b.projection = ${name}
    returning c.events`.execute(trx);
  await sql`delete from read.stopped_stream where projection = ${name}`.execute(trx);
  await sql`insert into read.stopped_stream
    select * from read_rebuild.stopped_stream where projection = ${name}`.execute(trx);
  return Number(rows[0]?.events ?? 0n);
};

const serving = (table: string) => sql.table(`read.${table}`);
const building = (table: string) => sql.table(`read_rebuild.${table}`);
