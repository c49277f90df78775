import { type Kysely, sql } from 'kysely';
import type { ReadModelTables } from '../tables.js';
import { tableRef, tablesToBackUp } from './tables.js';

/** A row as JSON text of all columns; a place in the log is a string. */
export type DumpedRow = { readonly table: string; readonly row: string };

const ROWS_AT_ONCE = 500;

/** Hands over all rows of one moment, in one transaction that does not disturb writers. */
export const dumpRows = async (
  db: Kysely<ReadModelTables>,
  part: 'state' | 'keys',
  take: (rows: readonly DumpedRow[]) => Promise<void>,
): Promise<void> => {
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      for (const { name, hasPosition } of await tablesToBackUp(trx, part)) {
        const exact = hasPosition
          ? sql`to_jsonb(t) || jsonb_build_object('position', t.position::text)`
          : sql`to_jsonb(t)`;
        await sql`declare backup no scroll cursor for select (${exact})::text as row from ${tableRef(name)} t`.execute(
          trx,
        );
        for (;;) {
          const { rows } = await sql<{ row: string }>`fetch ${sql.lit(ROWS_AT_ONCE)} from backup`.execute(
            trx,
          );
          if (rows.length === 0) break;
          await take(rows.map(({ row }) => ({ table: name, row })));
        }
        await sql`close backup`.execute(trx);
      }
    });
};
