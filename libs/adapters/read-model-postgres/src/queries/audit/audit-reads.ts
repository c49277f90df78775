import { IsoTime, LogPosition, pick, SessionId } from '@app/kernel';
import type { AuditReadRecord, AuditReadsQuery } from '@app/ports';
import { storableText } from '../../rows/write-rows.js';
import type { TenantRows } from '../../tenancy/tenant-rows.js';

const ROWS_MAX = 1_000;

/** Newest first. */
export const auditReadsPage = async (
  rowsOf: TenantRows,
  { tenant, kind, session, actor, after, limit }: AuditReadsQuery,
): Promise<readonly AuditReadRecord[]> => {
  let query = rowsOf(tenant)
    .selectFrom('audit_reads')
    .select(['position', 'recorded_at', 'actor', 'kind', 'endpoint', 'session'])
    .select(['first_revision', 'last_revision', 'filters', 'rows', 'reason'])
    .where('tenant', '=', tenant);
  if (kind) query = query.where('kind', '=', kind);
  if (session) query = query.where('session', '=', session);
  if (actor !== undefined) query = query.where('actor', '=', storableText(actor));
  if (after) query = query.where('position', '<', after.position);
  const rows = await query.orderBy('position', 'desc').limit(Math.min(limit, ROWS_MAX)).execute();
  return rows.map((row) => ({
    position: LogPosition(row.position),
    recordedAt: IsoTime(row.recorded_at),
    ...pick(row, 'actor', 'kind', 'endpoint'),
    session: row.session === null ? null : SessionId(row.session),
    revisions:
      row.first_revision === null || row.last_revision === null
        ? null
        : { from: Number(row.first_revision), to: Number(row.last_revision) },
    filters: row.filters,
    rows: row.rows === null ? null : Number(row.rows),
    reason: row.reason,
  }));
};
