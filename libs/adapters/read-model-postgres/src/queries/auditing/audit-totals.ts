import type { AuditTotals, AuditTotalsQuery } from '@app/ports';
import { type Kysely, sql } from 'kysely';
import type { ReadTables } from '../../rows/read-tables.js';
import { asTenant } from '../../tenancy/as-tenant.js';
import { passes, placesOf } from './audit-filter.js';

const GROUPS_MAX = 1_000;

/** Days in their order, others by their number, the largest first. */
export const auditTotals = async (
  db: Kysely<ReadTables>,
  { by, ...filter }: AuditTotalsQuery,
): Promise<AuditTotals> => {
  const places = await placesOf(db, filter);
  if (places === 'nothing') return { events: 0, groups: [] };
  const key =
    by === 'day'
      ? sql<string | null>`(recorded_at at time zone 'UTC')::date`
      : sql<string | null>`${sql.ref(by)}`;
  const rows = await asTenant(db, filter.tenant, (own) =>
    own
      .selectFrom('audit_events')
      .select(({ fn }) => [
        key.as('key'),
        fn.countAll<bigint>().as('events'),
        sql<bigint>`(sum(count(*)) over ())::bigint`.as('all'),
      ])
      .where(passes(filter, places))
      .groupBy(sql.lit(1))
      .orderBy(by === 'day' ? sql.lit(1) : sql`2 desc, 1`)
      .limit(GROUPS_MAX)
      .execute(),
  );
  return {
    events: Number(rows[0]?.all ?? 0n),
    groups: rows.map(({ key: name, events }) => ({ key: name, events: Number(events) })),
  };
};
