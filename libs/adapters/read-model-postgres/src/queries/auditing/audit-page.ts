import { IsoTime, invariant, LogPosition, SessionId, type TenantId } from '@app/kernel';
import type { AuditPlace, AuditQuery, AuditRow, AuditSort } from '@app/ports';
import { type SqlBool, sql } from 'kysely';
import type { TenantRows } from '../../tenancy/tenant-rows.js';
import { passes } from './audit-filter.js';

const ROWS_MAX = 1_000;

/** In the order that is asked for. Pages go by the place of the last row, not by an offset. */
export const auditPage = async (
  rowsOf: TenantRows,
  { sort = '-position', after, limit, ...filter }: AuditQuery,
): Promise<readonly AuditRow[]> => {
  invariant(Number.isSafeInteger(limit) && limit >= 0, `a limit is a whole number from 0, got ${limit}`);
  let query = rowsOf(filter.tenant)
    .selectFrom('audit_events')
    .select(['position', 'session', 'revision', 'type', 'recorded_at', 'actor', 'correlation', 'compaction'])
    .select(['trigger', 'outcome', 'profile', 'model', 'payload'])
    .where(passes(filter));
  if (after) query = query.where(comesAfter(sort, after));
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  if (isByTime(sort)) query = query.orderBy('recorded_at', direction);
  const rows = await query.orderBy('position', direction).limit(Math.min(limit, ROWS_MAX)).execute();
  return rows.map((row) => ({
    position: LogPosition(row.position),
    session: SessionId(row.session),
    revision: Number(row.revision),
    type: row.type,
    recordedAt: IsoTime(row.recorded_at),
    actor: row.actor,
    correlationId: row.correlation,
    compactionId: row.compaction,
    trigger: row.trigger,
    outcome: row.outcome,
    profile: row.profile,
    model: row.model,
    payload: row.payload,
  }));
};

const isByTime = (sort: AuditSort): boolean => sort === 'time' || sort === '-time';

const comesAfter = (sort: AuditSort, { position, recordedAt }: AuditPlace) => {
  const isAfter = sort.startsWith('-') ? sql`<` : sql`>`;
  return isByTime(sort)
    ? sql<SqlBool>`(recorded_at, position) ${isAfter} (${new Date(recordedAt)}, ${position})`
    : sql<SqlBool>`position ${isAfter} ${position}`;
};

/** The newest row's place; `undefined` without any. */
export const auditEnd = async (rowsOf: TenantRows, tenant: TenantId): Promise<LogPosition | undefined> => {
  const row = await rowsOf(tenant)
    .selectFrom('audit_events')
    .select('position')
    .where('tenant', '=', tenant)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && LogPosition(row.position);
};
