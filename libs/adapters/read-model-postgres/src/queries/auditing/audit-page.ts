import type { SessionEventType } from '@app/domain';
import { IsoTime, invariant, LogPosition, SessionId, type TenantId } from '@app/kernel';
import type { AuditFilter, AuditPlace, AuditQuery, AuditRow, AuditSort } from '@app/ports';
import { type SqlBool, sql } from 'kysely';
import type { TenantRows } from '../../tenancy/tenant-rows.js';
import { isOfFew, isOfTypesAlone, passes } from './audit-filter.js';

const ROWS_MAX = 1_000;

/** In the order that is asked for. Pages go by the place of the last row, not by an offset. */
export const auditPage = async (
  rowsOf: TenantRows,
  { sort = '-position', after, limit, ...filter }: AuditQuery,
): Promise<readonly AuditRow[]> => {
  invariant(Number.isSafeInteger(limit) && limit >= 0, `a limit is a whole number from 0, got ${limit}`);
  const size = Math.min(limit, ROWS_MAX);
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  // In the order of the log every index has its rows; in that of times there is one, which is no way to a few of them.
  const own = rowsOf(filter.tenant, isByTime(sort) && isOfFew(filter) ? 'by-index' : 'in-order');
  const pageOf = (wanted: AuditFilter) => {
    let query = own
      .selectFrom('audit_events')
      .select(['position', 'session', 'revision', 'type', 'recorded_at', 'actor', 'correlation'])
      .select(['compaction', 'trigger', 'outcome', 'profile', 'model', 'payload'])
      .where(passes(wanted, isByTime(sort) ? 'by-time' : 'by-position'));
    if (after) query = query.where(comesAfter(sort, after));
    if (isByTime(sort)) query = query.orderBy('recorded_at', direction);
    return query.orderBy('position', direction).limit(size);
  };
  // An index has the rows of each type in order, not those of several: their pages are merged.
  const [first, ...others] = isOfTypesAlone(filter) && !isByTime(sort) ? (filter.types ?? []) : [];
  const pageOfType = (type: SessionEventType) =>
    own.selectFrom(pageOf({ ...filter, types: [type] }).as('of_type')).selectAll();
  const merged = first && others.reduce((pages, type) => pages.unionAll(pageOfType(type)), pageOfType(first));
  const query = merged ? merged.orderBy('position', direction).limit(size) : pageOf(filter);
  const rows = await query.execute();
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
