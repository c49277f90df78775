import type { AuditTotals, AuditTotalsQuery } from '@app/ports';
import { sql } from 'kysely';
import type { TenantRows } from '../../tenancy/tenant-rows.js';
import { isOfTimeAlone, passes } from './audit-filter.js';

const GROUPS_MAX = 1_000;

/** Days in their order, others by their number, the largest first. */
export const auditTotals = async (
  rowsOf: TenantRows,
  { by, ...filter }: AuditTotalsQuery,
): Promise<AuditTotals> => {
  const key =
    by === 'day'
      ? sql<string | null>`(recorded_at at time zone 'UTC')::date`
      : sql<string | null>`${sql.ref(by)}`;
  // The index by time has all that is counted but the session: no row is fetched. Other filters have indexes by place.
  const reading = isOfTimeAlone(filter) && by !== 'session' ? 'by-time' : 'by-position';
  const rows = await rowsOf(filter.tenant)
    .selectFrom('audit_events')
    .select(({ fn }) => [
      key.as('key'),
      fn.countAll<bigint>().as('events'),
      sql<bigint>`(sum(count(*)) over ())::bigint`.as('all'),
    ])
    .where(passes(filter, reading))
    .groupBy(sql.lit(1))
    .orderBy(by === 'day' ? sql.lit(1) : sql`2 desc, 1`)
    .limit(GROUPS_MAX)
    .execute();
  return {
    events: Number(rows[0]?.all ?? 0n),
    groups: rows.map(({ key: name, events }) => ({ key: name, events: Number(events) })),
  };
};
