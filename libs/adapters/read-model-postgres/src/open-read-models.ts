import type { ReadModels } from '@app/ports';
import type { ReadModelDatabase } from './database.js';
import { auditEnd, auditPage } from './queries/auditing/audit-page.js';
import { auditReadsPage } from './queries/auditing/audit-reads.js';
import { auditTotals } from './queries/auditing/audit-totals.js';
import { searchCompactions } from './queries/auditing/search-compactions.js';
import { usageTotals } from './queries/auditing/usage.js';
import { compactionPage } from './queries/compaction-page.js';
import { idleSessions } from './queries/idle-sessions.js';
import { sessionPage, sessionsOf } from './queries/sessions.js';
import { projectionStatus } from './queries/status.js';
import { allApiKeys } from './queries/tenants/api-keys.js';
import { unfinishedCompactions } from './queries/unfinished-compactions.js';
import type { ReadTables } from './rows/read-tables.js';

/** The read models on a migrated database. */
export const openReadModels = (database: ReadModelDatabase): ReadModels => {
  const db = database.db.withTables<ReadTables>().withSchema('read');
  return {
    sessions: (tenant) => sessionsOf(db, tenant),
    audit: (query) => auditPage(db, query),
    auditTotals: (query) => auditTotals(db, query),
    auditEnd: (tenant) => auditEnd(db, tenant),
    auditReads: (query) => auditReadsPage(db, query),
    compactions: (search) => searchCompactions(db, search),
    usage: (query) => usageTotals(db, query),
    sessionPage: (tenant, page) => sessionPage(db, tenant, page),
    compactionPage: (ref, page) => compactionPage(db, ref, page),
    apiKeys: () => allApiKeys(db),
    unfinishedCompactions: () => unfinishedCompactions(db),
    idleSessions: (now) => idleSessions(db, now),
    status: () => projectionStatus(db),
  };
};
