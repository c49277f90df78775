import { IsoTime, LogPosition } from '@app/kernel';
import type { AuditReadRecord, AuditReadsQuery } from '@app/ports';
import type { TenantRows } from '../../tenancy/tenant-rows.js';

const ROWS_MAX = 1_000;

/** Newest first. */
export const auditReadsPage = async (
  rowsOf: TenantRows,
  { tenant, after, limit }: AuditReadsQuery,
): Promise<readonly AuditReadRecord[]> => {
  let query = rowsOf(tenant)
    .selectFrom('audit_reads')
    .select(['position', 'recorded_at', 'actor', 'endpoint', 'filters', 'rows'])
    .where('tenant', '=', tenant);
  if (after) query = query.where('position', '<', after.position);
  const rows = await query.orderBy('position', 'desc').limit(Math.min(limit, ROWS_MAX)).execute();
  return rows.map((row) => ({
    position: LogPosition(row.position),
    recordedAt: IsoTime(row.recorded_at),
    actor: row.actor,
    endpoint: row.endpoint,
    filters: row.filters,
    rows: Number(row.rows),
  }));
};
