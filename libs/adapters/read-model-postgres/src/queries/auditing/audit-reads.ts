import { IsoTime, LogPosition } from '@app/kernel';
import type { AuditReadRecord, AuditReadsQuery } from '@app/ports';
import type { Kysely } from 'kysely';
import type { ReadTables } from '../../rows/read-tables.js';
import { asTenant } from '../../tenancy/as-tenant.js';

const ROWS_MAX = 1_000;

/** Newest first. */
export const auditReadsPage = async (
  db: Kysely<ReadTables>,
  { tenant, after, limit }: AuditReadsQuery,
): Promise<readonly AuditReadRecord[]> => {
  const rows = await asTenant(db, tenant, (own) => {
    let query = own
      .selectFrom('audit_reads')
      .select(['position', 'recorded_at', 'actor', 'endpoint', 'filters', 'rows'])
      .where('tenant', '=', tenant);
    if (after) query = query.where('position', '<', after.position);
    return query.orderBy('position', 'desc').limit(Math.min(limit, ROWS_MAX)).execute();
  });
  return rows.map((row) => ({
    position: LogPosition(row.position),
    recordedAt: IsoTime(row.recorded_at),
    actor: row.actor,
    endpoint: row.endpoint,
    filters: row.filters,
    rows: Number(row.rows),
  }));
};
