import { IsoTime, LogPosition, pick, SessionId } from '@app/kernel';
import type { AuditReadRecord, AuditReadsQuery, ReadModels } from '@app/ports';
import type { ReadModelDatabase } from './database.js';
import type { SearchDigests } from './projections/audit-events/losses.js';
import { auditEnd, auditPage } from './queries/audit/audit-page.js';
import { auditTotals } from './queries/audit/audit-totals.js';
import { searchCompactions } from './queries/audit/search-compactions.js';
import { usageTotals } from './queries/audit/usage.js';
import { compactionPage, retainedTurns, unfinishedCompactions } from './queries/compaction-page.js';
import { activity, milestones, occupancySeries } from './queries/occupancy.js';
import { dueRetentions, heldSessions } from './queries/retention.js';
import { idleSessions, messageRevision, sessionPage, sessionsOf } from './queries/sessions.js';
import { projectionStatus, stoppedStreams } from './queries/status.js';
import { allApiKeys, tenantPage } from './queries/tenants.js';
import type { ReadTables } from './rows/read-tables.js';
import { storableText } from './rows/storable.js';
import { type TenantRows, tenantRows } from './tenancy/tenant-rows.js';

/**
 * The read models on a migrated database.
 *
 * @param digests for searches of losses.
 */
export const openReadModels = (database: ReadModelDatabase, digests: SearchDigests): ReadModels => {
  const db = database.db.withTables<ReadTables>().withSchema('read');
  const rowsOf = tenantRows(database);
  return {
    sessions: (tenant) => sessionsOf(rowsOf, tenant),
    audit: (query) => auditPage(rowsOf, digests, query),
    auditTotals: (query) => auditTotals(rowsOf, digests, query),
    auditEnd: (tenant) => auditEnd(rowsOf, tenant),
    auditReads: (query) => auditReadsPage(rowsOf, query),
    compactions: (search) => searchCompactions(rowsOf, search),
    usage: (query) => usageTotals(rowsOf, db, query),
    sessionPage: (query) => sessionPage(rowsOf, query),
    compactionPage: (ref, page) => compactionPage(rowsOf, ref, page),
    occupancy: (query) => occupancySeries(rowsOf, query),
    activity: (query) => activity(rowsOf, query),
    milestones: (query) => milestones(rowsOf, query),
    retainedTurns: (query) => retainedTurns(rowsOf, query),
    messageRevision: (ref, id) => messageRevision(rowsOf, ref, id),
    apiKeys: () => allApiKeys(db),
    tenants: (page) => tenantPage(db, page),
    unfinishedCompactions: () => unfinishedCompactions(db),
    idleSessions: (now) => idleSessions(db, now),
    heldSessions: (query) => heldSessions(rowsOf, query),
    dueRetentions: (now, pageSize) => dueRetentions(db, now, pageSize),
    status: () => projectionStatus(db),
    stoppedStreams: (query) => stoppedStreams(db, query),
  };
};

const ROWS_MAX = 1_000;

/** Newest first. */
const auditReadsPage = async (
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
