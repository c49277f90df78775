import type { TenantId } from '@app/kernel';
import type { AuditQuery, AuditRow } from '@app/ports';
import type { QueryConfig } from 'pg';

const COLUMNS = `position, session, revision, type, recorded_at, actor, correlation, compaction, trigger, outcome, profile,
  model, payload`;

/** Returns the query that an administrator without row-level security would write. */
export const bareQuery = ({ sort = '-position', after, limit, ...filter }: AuditQuery): QueryConfig => {
  const values: unknown[] = [];
  const placed = (value: unknown): string => `$${values.push(value)}`;
  const byTime = sort.endsWith('time');
  const isAfter = sort.startsWith('-') ? '<' : '>';
  const equal = {
    tenant: filter.tenant,
    session: filter.session,
    trigger: filter.trigger,
    outcome: filter.outcome,
    profile: filter.profile,
    model: filter.model,
    actor: filter.actor,
    correlation: filter.correlationId,
    compaction: filter.compactionId,
  };
  const conditions = Object.entries(equal)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => `${column} = ${placed(value)}`);
  const types = (filter.types ?? []).map(placed);
  if (types.length > 0) conditions.push(`type in (${types.join(', ')})`);
  if (filter.since !== undefined) conditions.push(`recorded_at >= ${placed(filter.since)}`);
  if (filter.until !== undefined) conditions.push(`recorded_at < ${placed(filter.until)}`);
  if (after) conditions.push(`position ${isAfter} ${placed(after.position)}`);
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const order = [...(byTime ? [`recorded_at ${direction}`] : []), `position ${direction}`].join(', ');
  const text = `select ${COLUMNS} from read.audit_events where ${conditions.join(' and ')}
    order by ${order} limit ${placed(limit)}`;
  return { text, values };
};

/** Queries known rows by primary key. */
export const bareQueryOf = (tenant: TenantId, rows: readonly AuditRow[]): QueryConfig => ({
  text: `select ${COLUMNS} from read.audit_events where tenant = $1 and position = any($2::bigint[])
    order by position desc`,
  values: [tenant, rows.map(({ position }) => position.toString())],
});
