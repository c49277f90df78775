import { ownMember } from '@app/kernel';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { type Columns, type Kind, type RowOf, sqlTypeOf, type Table } from './kinds.js';
import type { ReadTables } from './read-tables.js';
import { storableJson, storableText } from './storable.js';

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
  sql`${values.map((value) => storable(kind, value))}::${sql.raw(sqlTypeOf(kind))}[]`;

const storable = (kind: Kind | 'json', value: unknown): unknown => {
  if (kind === 'json') return JSON.stringify(storableJson(value));
  return typeof value === 'string' ? storableText(value) : value;
};
const list = (names: readonly string[]): RawBuilder<unknown> => sql.join(names.map((name) => sql.ref(name)));
