import { IsoTime, ownMember } from '@app/kernel';
import { sql, type Transaction } from 'kysely';
import { baseOf, type Columns, type Kind, type RowOf, type Table } from './kinds.js';
import type { ReadTables } from './read-tables.js';
import { arrayOf } from './write-rows.js';

/** The rows of a table that have one of the keys, in no order. */
export const loadRows = async <C extends Columns>(
  trx: Transaction<ReadTables>,
  { name, key, columns }: Table<C>,
  keys: readonly (readonly unknown[])[],
): Promise<readonly RowOf<C>[]> => {
  if (keys.length === 0) return [];
  const wanted = key.map((column, index) =>
    arrayOf(
      ownMember(columns, column) ?? 'text',
      keys.map((one) => one[index]),
    ),
  );
  const matches = key.map((column) => sql`t.${sql.ref(column)} = k.${sql.ref(column)}`);
  const { rows } = await sql<Record<string, unknown>>`
    select t.* from unnest(${sql.join(wanted)}) as k (${sql.join(key.map((column) => sql.ref(column)))})
    join ${sql.table(name)} as t on ${sql.join(matches, sql` and `)}`.execute(trx);
  return rows.map((row) => rowFrom(columns, row));
};

const rowFrom = <C extends Columns>(columns: C, row: Readonly<Record<string, unknown>>): RowOf<C> => {
  const values = Object.entries(columns).map(([column, kind]) => [
    column,
    valueFrom(kind, ownMember(row, column)),
  ]);
  // The table has the columns and types that its description names: `migrations/` and this file are held together by
  // the tests of the projections.
  return Object.fromEntries(values) as RowOf<C>;
};

const valueFrom = (kind: Kind | 'json', value: unknown): unknown => {
  if (typeof value === 'bigint' && baseOf(kind) === 'count') return Number(value);
  if (typeof value === 'string' && baseOf(kind) === 'sum') return BigInt(value);
  return value instanceof Date ? IsoTime(value) : value;
};
