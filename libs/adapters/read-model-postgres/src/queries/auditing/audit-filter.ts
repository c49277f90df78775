import type { AuditFilter } from '@app/ports';
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { ReadTables } from '../../rows/read-tables.js';
import { storableText } from '../../rows/storable.js';
import { asTenant } from '../../tenancy/as-tenant.js';

const HOUR_MS = 3_600_000;

/** Both inclusive. */
export type Places = { readonly first?: bigint; readonly last?: bigint };

/**
 * Between which places in the log rows of the filter's time can stand; `nothing` where there are none. A range of time
 * then is a range of every index, and nobody walks through years to come to a day.
 */
export const placesOf = async (
  db: Kysely<ReadTables>,
  { tenant, since, until, upTo }: AuditFilter,
): Promise<Places | 'nothing'> => {
  const end = upTo === undefined ? {} : { last: upTo };
  if (since === undefined && until === undefined) return end;
  const found = await asTenant(db, tenant, (own) => {
    let query = own
      .selectFrom('audit_hours')
      .select(({ fn }) => [fn.min('first_position').as('first'), fn.max('last_position').as('last')])
      .where('tenant', '=', tenant);
    if (since !== undefined) query = query.where('hour', '>', new Date(Date.parse(since) - HOUR_MS));
    if (until !== undefined) query = query.where('hour', '<', new Date(until));
    return query.executeTakeFirstOrThrow();
  });
  // Without any hour the aggregates are null, whatever the types say.
  const { first, last }: { first: bigint | null; last: bigint | null } = found;
  if (first === null || last === null) return 'nothing';
  return { first, last: upTo !== undefined && upTo < last ? upTo : last };
};

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
  (filter: AuditFilter, { first, last }: Places) =>
  (eb: Builder): Expression<SqlBool> => {
    const { tenant, types, since, until } = filter;
    const conditions: Expression<SqlBool>[] = [eb('tenant', '=', tenant), ...equalities(filter, eb)];
    const [only, ...more] = types ?? [];
    if (types && only === undefined) conditions.push(eb.lit(false));
    else if (only !== undefined && more.length === 0) conditions.push(eb('type', '=', only));
    else if (types) conditions.push(eb('type', 'in', [...types]));
    if (since !== undefined) conditions.push(eb('recorded_at', '>=', new Date(since)));
    if (until !== undefined) conditions.push(eb('recorded_at', '<', new Date(until)));
    if (first !== undefined) conditions.push(eb('position', '>=', first));
    if (last !== undefined) conditions.push(eb('position', '<=', last));
    return eb.and(conditions);
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
