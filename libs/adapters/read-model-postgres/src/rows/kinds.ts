import type { BudgetState, KeyRole, RetentionMode, Trigger } from '@app/domain';
import type { IsoTime, JsonObject } from '@app/kernel';
import type { AuditEventType, CompactionOutcome, ReadKind, UsageSource } from '@app/ports';

/** The type of a column, nullable with `?`. A `count` is a number, a `position` or `sum` never. */
export type Kind = BaseKind | `${BaseKind}?`;
type BaseKind = keyof Values;

/** Each kind as a value of ours, and as the driver hands it out. */
type Values = Words & {
  count: number;
  sum: bigint;
  position: bigint;
  real: number;
  flag: boolean;
  time: IsoTime;
};
type DriverValues = Words & {
  count: bigint;
  /** An integer of any length, which the driver returns as digits. */
  sum: string;
  position: bigint;
  real: number;
  flag: boolean;
  time: Date;
};
/** Text, where need be one of few words, which only this adapter writes. */
type Words = {
  text: string;
  'budget-state': BudgetState;
  'event-type': AuditEventType;
  trigger: Trigger;
  outcome: CompactionOutcome;
  'retention-mode': RetentionMode;
  'key-role': KeyRole;
  'read-kind': ReadKind;
  'usage-source': UsageSource;
  /** In UTC, such as `2026-11-21`. */
  day: string;
};

type ValueOf<K extends Kind | 'json', Known extends { [B in BaseKind]: unknown }> = K extends 'json'
  ? JsonObject
  : K extends `${infer Base extends BaseKind}?`
    ? Known[Base] | null
    : K extends BaseKind
      ? Known[K]
      : never;

export type Columns = { readonly [column: string]: Kind | 'json' };
/** A row as it is worked with. */
export type RowOf<C extends Columns> = { readonly [N in keyof C]: ValueOf<C[N], Values> };
/** The same row as a query yields it. */
export type DriverRowOf<C extends Columns> = { [N in keyof C]: ValueOf<C[N], DriverValues> };

/** A table of the schema `read`, or of its rebuild. */
export type Table<C extends Columns = Columns> = {
  readonly name: string;
  /** Columns, as {@link table} checks. */
  readonly key: readonly string[];
  readonly columns: C;
};

/** The description of a table; the key's columns are among the others. */
export const table = <const C extends Columns>(
  name: string,
  key: readonly (keyof C & string)[],
  columns: C,
) => ({ name, key, columns }) satisfies Table<C>;

type Nullable<C extends Columns> = { [N in keyof C]: C[N] extends `${BaseKind}?` ? N : never }[keyof C];

/** Returns the nullable columns of a table, as `null`. */
export const nullsOf = <C extends Columns>({ columns }: Table<C>): { readonly [N in Nullable<C>]: null } => {
  const nullable = Object.entries(columns).filter(([, kind]) => kind.endsWith('?'));
  // The type names exactly the columns of these kinds.
  return Object.fromEntries(nullable.map(([name]) => [name, null])) as { readonly [N in Nullable<C>]: null };
};

const SQL_TYPES = {
  text: 'text',
  'budget-state': 'text',
  'event-type': 'text',
  trigger: 'text',
  outcome: 'text',
  'retention-mode': 'text',
  'key-role': 'text',
  'read-kind': 'text',
  'usage-source': 'text',
  day: 'date',
  count: 'bigint',
  sum: 'numeric',
  position: 'bigint',
  real: 'double precision',
  flag: 'boolean',
  time: 'timestamptz',
  json: 'jsonb',
} as const satisfies Record<BaseKind | 'json', string>;

export const baseOf = (kind: Kind | 'json'): BaseKind | 'json' =>
  (kind.endsWith('?') ? kind.slice(0, -1) : kind) as BaseKind | 'json'; // The type of a kind is exactly this suffix.
export const sqlTypeOf = (kind: Kind | 'json'): string => SQL_TYPES[baseOf(kind)];
