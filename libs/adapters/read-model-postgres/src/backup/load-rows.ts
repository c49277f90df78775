import { type Kysely, sql } from 'kysely';
import type { ReadModelTables } from '../tables.js';
import type { DumpedRow } from './dump-rows.js';
import { tableRef, tablesToBackUp } from './tables.js';

const ROWS_AT_ONCE = 500;

/**
 * Replaces the rows of a part by dumped ones, in one transaction. Rows of tables that this version does not have are refused.
 *
 * @returns the number of rows.
 */
export const loadDumpedRows = (
  db: Kysely<ReadModelTables>,
  part: 'state' | 'keys',
  rows: AsyncIterable<DumpedRow>,
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const tables = await tablesToBackUp(trx, part);
    const known = new Set(tables.map(({ name }) => name));
    for (const { name } of [...tables].reverse()) await sql`delete from ${tableRef(name)}`.execute(trx);
    let count = 0;
    let pending: { readonly table: string; readonly rows: string[] } | undefined;
    const flush = async (): Promise<void> => {
      if (!pending) return;
      const table = tableRef(pending.table);
      await sql`insert into ${table} overriding system value
        select (jsonb_populate_recordset(null::${table}, ${`[${pending.rows.join(',')}]`}::jsonb)).*`.execute(
        trx,
      );
      pending = undefined;
    };
    for await (const { table, row } of rows) {
      if (!known.has(table)) throw new RangeError(`there is no table ${table}`);
      if (pending?.table !== table || pending.rows.length >= ROWS_AT_ONCE) await flush();
      pending ??= { table, rows: [] };
      pending.rows.push(row);
      count += 1;
    }
    await flush();
    for (const { name } of tables) await continueNumbers(trx, name);
    return count;
  });

/** Sets sequences behind the numbers of the loaded rows. */
const continueNumbers = async (db: Kysely<ReadModelTables>, name: string): Promise<void> => {
  const { rows } = await sql<{ column: string }>`select attname as column from pg_attribute
    where attrelid = ${name}::regclass and attidentity <> '' and not attisdropped`.execute(db);
  for (const { column } of rows)
    await sql`select setval(pg_get_serial_sequence(${name}, ${column}),
      greatest((select max(${sql.id(column)}) from ${tableRef(name)}), 1))`.execute(db);
};

/** Whether nothing was ever recorded in a migrated database. */
export const isUnused = async (db: Kysely<ReadModelTables>): Promise<boolean> => {
  const { rows } = await sql<{ used: boolean }>`select exists (select from keys.content_key)
    or exists (select from blob) or exists (select from read.audit_events) as used`.execute(db);
  return rows[0]?.used === false;
};

/** Returns the digests of all contents that are kept beside the log, with their media types. */
export const listBlobs = async (
  db: Kysely<ReadModelTables>,
): Promise<readonly { readonly digest: string; readonly mediaType: string; readonly size: number }[]> => {
  const rows = await db
    .selectFrom('blob')
    .select(['digest', 'media_type', 'size'])
    .orderBy('digest')
    .execute();
  return rows.map(({ digest, media_type, size }) => ({
    digest: digest.toString('hex'),
    mediaType: media_type,
    size: Number(size),
  }));
};
