import { IsoTime, ownMember } from '@app/kernel';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { binaryArray } from './binary-array.js';
import { baseOf, type Columns, type Kind, type RowOf, sqlTypeOf, type Table } from './kinds.js';
import type { ReadTables } from './read-tables.js';
import { storableJsonText, storableText } from './storable.js';

/**
 * Writes rows in one statement with one array per column, so that the statement text is constant. For an existing key
 * `conflict` decides: keep or replace the row; with replacement, keys in `rows` must be distinct.
 * The only way into the tables: strings are converted to storable ones here.
 */
export const writeRows = async <C extends Columns>(
  trx: Transaction<ReadTables>,
  { name, key, columns }: Table<C>,
  rows: readonly RowOf<C>[],
  conflict: 'keep' | 'replace',
): Promise<void> => {
  if (rows.length === 0) return;
  const names = Object.keys(columns);
  const arrays = Object.entries(columns).map(([column, kind]) =>
    arrayOf(
      kind,
      rows.map((row) => ownMember<unknown>(row, column)),
    ),
  );
  await sql`insert into ${sql.table(name)} (${list(names)}) select * from unnest(${sql.join(arrays)})
    on conflict (${list(key)}) do ${onConflict(names, key, conflict)}`.execute(trx);
};

const onConflict = (
  names: readonly string[],
  key: readonly string[],
  conflict: 'keep' | 'replace',
): RawBuilder<unknown> => {
  if (conflict === 'keep') return sql`nothing`;
  const others = names.filter((name) => !key.includes(name));
  return sql`update set ${sql.join(others.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))}`;
};

/** The values of a column as one parameter. */
export const arrayOf = (kind: Kind | 'json', values: readonly unknown[]): RawBuilder<unknown> =>
  sql`${binaryArray(kind, values) ?? values.map((value) => storable(kind, value))}::${sql.raw(sqlTypeOf(kind))}[]`;

const storable = (kind: Kind | 'json', value: unknown): unknown => {
  if (kind === 'json') return storableJsonText(value);
  return typeof value === 'string' ? storableText(value) : value;
};
const list = (names: readonly string[]): RawBuilder<unknown> => sql.join(names.map((name) => sql.ref(name)));

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
