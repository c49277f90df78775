import { IsoTime, invariant, LogPosition, SessionId } from '@app/kernel';
import type { AuditFilter, AuditRow } from '@app/ports';
import type { Kysely } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';

const ROWS_MAX = 1_000;

/** Newest first. `before` is the position of the last row of the page before, exclusive. */
export const auditPage = async (
  db: Kysely<ReadTables>,
  { tenant, session, type, since, until, before, limit }: AuditFilter,
): Promise<readonly AuditRow[]> => {
  invariant(Number.isSafeInteger(limit) && limit >= 0, `a limit is a whole number from 0, got ${limit}`);
  let query = db
    .selectFrom('audit_events')
    .select(['position', 'session', 'revision', 'type', 'recorded_at', 'actor', 'correlation', 'compaction'])
    .select('payload')
    .where('tenant', '=', tenant);
  if (session !== undefined) query = query.where('session', '=', session);
  if (type !== undefined) query = query.where('type', '=', type);
  if (since !== undefined) query = query.where('recorded_at', '>=', new Date(since));
  if (until !== undefined) query = query.where('recorded_at', '<', new Date(until));
  if (before !== undefined) query = query.where('position', '<', before);
  const rows = await query.orderBy('position', 'desc').limit(Math.min(limit, ROWS_MAX)).execute();
  return rows.map((row) => ({
    position: LogPosition(row.position),
    session: SessionId(row.session),
    revision: Number(row.revision),
    type: row.type,
    recordedAt: IsoTime(row.recorded_at),
    actor: row.actor,
    correlationId: row.correlation,
    compactionId: row.compaction,
    payload: row.payload,
  }));
};
