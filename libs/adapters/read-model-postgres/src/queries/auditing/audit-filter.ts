import type { AuditFilter } from '@app/ports';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { ReadTables } from '../../rows/read-tables.js';
import { storableText } from '../../rows/storable.js';

const HOUR_MS = 3_600_000;

type Builder = ExpressionBuilder<ReadTables, 'audit_events'>;
/** How rows are come by: between places in the log, or in the order of their times. */
export type Reading = 'by-position' | 'by-time';

/** What a row must be to pass: the tenant's, and all that the filter names. */
export const passes =
  (filter: AuditFilter, reading: Reading) =>
  (eb: Builder): Expression<SqlBool> => {
    const { tenant, types, upTo } = filter;
    const wanted = [...few(filter), ...many(filter)];
    const conditions: Expression<SqlBool>[] = [eb('tenant', '=', tenant)];
    for (const [column, values] of wanted) conditions.push(isOneOf(eb.ref(column), values));
    if (types?.length === 0) conditions.push(eb.lit(false));
    if (upTo !== undefined) conditions.push(eb('position', '<=', upTo));
    return eb.and([...conditions, ...(reading === 'by-time' ? times : places)(filter, eb)]);
  };

type Column =
  | 'session'
  | 'correlation'
  | 'compaction'
  | 'type'
  | 'trigger'
  | 'outcome'
  | 'profile'
  | 'model'
  | 'actor';
type Wanted = readonly [column: Column, values: readonly string[]];

const wantedOf = (column: Column, values: string | readonly string[] | undefined): readonly Wanted[] =>
  values === undefined || values.length === 0 ? [] : [[column, [values].flat()]];

/** What few rows have in common. */
const few = ({ session, correlationId, compactionId }: AuditFilter): readonly Wanted[] => [
  ...wantedOf('session', session),
  ...wantedOf('correlation', correlationId),
  ...wantedOf('compaction', compactionId),
];
/** What many rows have in common: every index has these behind its order. */
const many = ({ types, trigger, outcome, profile, model, actor }: AuditFilter): readonly Wanted[] => [
  ...wantedOf('type', types),
  ...wantedOf('trigger', trigger),
  ...wantedOf('outcome', outcome),
  ...wantedOf('profile', profile),
  ...wantedOf('model', model),
  ...wantedOf('actor', actor),
];

/** Whether few rows pass, whatever else is asked for: those of a session, an operation or a compaction. */
export const isOfFew = (filter: AuditFilter): boolean => few(filter).length > 0;
/** Whether rows of a range of time are asked for, whatever else they are. */
export const isOfTimeAlone = (filter: AuditFilter): boolean =>
  (filter.since !== undefined || filter.until !== undefined) &&
  few(filter).length === 0 &&
  many(filter).length === 0;
/** Whether rows of several types are asked for, and no others. */
export const isOfTypesAlone = (filter: AuditFilter): boolean =>
  (filter.types?.length ?? 0) > 1 && few(filter).length === 0 && many(filter).length === 1;

/** As it would have been stored. */
const isOneOf = (column: Expression<unknown>, values: readonly string[]): Expression<SqlBool> => {
  const [only, ...more] = values.map((value) => storableText(value));
  return more.length === 0 ? sql`${column} = ${only}` : sql`${column} in (${sql.join([only, ...more])})`;
};

const times = ({ since, until }: AuditFilter, eb: Builder): readonly Expression<SqlBool>[] => [
  ...(since === undefined ? [] : [eb('recorded_at', '>=', new Date(since))]),
  ...(until === undefined ? [] : [eb('recorded_at', '<', new Date(until))]),
];

/**
 * A range of time is a range of every index: `audit_hours` says between which places in the log its rows can stand, so
 * that nobody walks through years to come to a day. Nearly all rows between them pass, which PostgreSQL cannot know: a
 * comparison that it takes for selective has it read and sort all of them, and one inside of `case` says nothing.
 */
const places = ({ tenant, since, until }: AuditFilter, eb: Builder): readonly Expression<SqlBool>[] => {
  const hours = eb.selectFrom('audit_hours').where('audit_hours.tenant', '=', tenant).limit(1);
  const time = eb.ref('recorded_at');
  const conditions: Expression<SqlBool>[] = [];
  if (since !== undefined) {
    const from = hours.where('hour', '>', new Date(Date.parse(since) - HOUR_MS)).orderBy('hour');
    conditions.push(
      eb('position', '>=', from.select('first_position')),
      sql`case when ${time} < ${new Date(since)} then false else true end`,
    );
  }
  if (until !== undefined) {
    const to = hours.where('hour', '<', new Date(until)).orderBy('hour', 'desc');
    conditions.push(
      eb('position', '<=', to.select('last_position')),
      sql`case when ${time} < ${new Date(until)} then true else false end`,
    );
  }
  return conditions;
};
