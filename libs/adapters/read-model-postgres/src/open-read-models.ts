import type { ReadModels } from '@app/ports';
import type { ReadModelDatabase } from './database.js';
import type { SearchDigests } from './projections/audit-events/losses.js';
import { auditEnd, auditPage } from './queries/audit/audit-page.js';
import { auditReadsPage } from './queries/audit/audit-reads.js';
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
import { tenantRows } from './tenancy/tenant-rows.js';

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
