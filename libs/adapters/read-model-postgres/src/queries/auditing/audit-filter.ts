import type { AuditFilter } from '@app/ports';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { ReadTables } from '../../rows/read-tables.js';
import { storableText } from '../../rows/storable.js';

const HOUR_MS = 3_600_000;

type Builder = ExpressionBuilder<ReadTables, 'audit_events'>;
type TextColumn =
  | 'session'
  | 'trigger'
  | 'outcome'
  | 'profile'
  | 'model'
  | 'actor'
  | 'correlation'
  | 'compaction';

/** What a row must be to pass: the tenant's, and all that the filter names. */
export const passes =
  (filter: AuditFilter) =>
  (eb: Builder): Expression<SqlBool> => {
    const { tenant, types, upTo } = filter;
    const conditions: Expression<SqlBool>[] = [eb('tenant', '=', tenant), ...equalities(filter, eb)];
    const [only, ...more] = types ?? [];
    if (types && only === undefined) conditions.push(eb.lit(false));
    else if (only !== undefined && more.length === 0) conditions.push(eb('type', '=', only));
    else if (types) conditions.push(eb('type', 'in', [...types]));
    if (upTo !== undefined) conditions.push(eb('position', '<=', upTo));
    return eb.and([...conditions, ...times(filter, eb)]);
  };

/**
 * A range of time is a range of every index: `audit_hours` says between which places in the log its rows can stand, so
 * that nobody walks through years to come to a day. Nearly all rows between them pass, which PostgreSQL cannot know: a
 * comparison that it takes for selective has it read and sort all of them, and one inside of `case` says nothing.
 */
const times = ({ tenant, since, until }: AuditFilter, eb: Builder): readonly Expression<SqlBool>[] => {
  let hours = eb.selectFrom('audit_hours').where('audit_hours.tenant', '=', tenant);
  if (since !== undefined) hours = hours.where('hour', '>', new Date(Date.parse(since) - HOUR_MS));
  if (until !== undefined) hours = hours.where('hour', '<', new Date(until));
  const conditions: Expression<SqlBool>[] = [];
  if (since !== undefined) {
    conditions.push(
      eb(
        'position',
        '>=',
        hours.select(({ fn }) => fn.min('first_position').as('first')),
      ),
    );
    conditions.push(sql`case when ${eb.ref('recorded_at')} < ${new Date(since)} then false else true end`);
  }
  if (until !== undefined) {
    conditions.push(
      eb(
        'position',
        '<=',
        hours.select(({ fn }) => fn.max('last_position').as('last')),
      ),
    );
    conditions.push(sql`case when ${eb.ref('recorded_at')} < ${new Date(until)} then true else false end`);
  }
  return conditions;
};

const equalities = (filter: AuditFilter, eb: Builder): readonly Expression<SqlBool>[] => {
  const wanted: readonly (readonly [TextColumn, string | undefined])[] = [
    ['session', filter.session],
    ['trigger', filter.trigger],
    ['outcome', filter.outcome],
    ['profile', filter.profile],
    ['model', filter.model],
    ['actor', filter.actor],
    ['correlation', filter.correlationId],
    ['compaction', filter.compactionId],
  ];
  return wanted.flatMap(([column, value]) =>
    // As it would have been stored.
    value === undefined ? [] : [sql<SqlBool>`${eb.ref(column)} = ${storableText(value)}`],
  );
};
