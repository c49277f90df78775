import { isSessionEventType } from '@app/domain';
import { IsoTime, Revision } from '@app/kernel';
import type { Milestone, MilestoneQuery, OccupancyBin, OccupancyQuery } from '@app/ports';
import { sql } from 'kysely';
import type { TenantRows } from '../tenancy/tenant-rows.js';

/** Reads each row of the session once, whatever the number of bins. */
export const occupancySeries = async (
  rowsOf: TenantRows,
  { tenant, session, from, to, width }: OccupancyQuery,
): Promise<readonly OccupancyBin[]> => {
  const rows = await rowsOf(tenant)
    .selectFrom('audit_events')
    .select([
      sql<bigint>`max(revision)`.as('revision'),
      sql<Date>`(array_agg(recorded_at order by revision desc))[1]`.as('at'),
      sql<bigint>`(array_agg(occupancy order by revision desc))[1]`.as('occupancy'),
      sql<bigint>`min(occupancy)`.as('min'),
      sql<bigint>`max(occupancy)`.as('max'),
    ])
    .where('tenant', '=', tenant)
    .where('session', '=', session)
    .where('occupancy', 'is not', null)
    .where('revision', '>=', BigInt(from))
    .where('revision', '<=', BigInt(to))
    .groupBy(sql`(revision - ${from}) / ${width}::bigint`)
    .orderBy('revision')
    .execute();
  return rows.map((row) => ({
    revision: Revision(Number(row.revision)),
    at: IsoTime(row.at),
    occupancy: Number(row.occupancy),
    min: Number(row.min),
    max: Number(row.max),
  }));
};

export const milestones = async (
  rowsOf: TenantRows,
  { tenant, session, types }: MilestoneQuery,
): Promise<readonly Milestone[]> => {
  const rows = await rowsOf(tenant)
    .selectFrom('audit_events')
    .select(['revision', 'recorded_at', 'type', 'compaction', 'trigger', 'profile', 'payload'])
    .where('tenant', '=', tenant)
    .where('session', '=', session)
    .where('type', 'in', types)
    .orderBy('position')
    .execute();
  return rows.flatMap(({ type, ...row }) =>
    isSessionEventType(type)
      ? [
          {
            revision: Revision(Number(row.revision)),
            at: IsoTime(row.recorded_at),
            type,
            compactionId: row.compaction,
            trigger: row.trigger,
            profile: row.profile,
            payload: row.payload,
          },
        ]
      : [],
  );
};
