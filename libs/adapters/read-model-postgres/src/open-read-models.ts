import type { ReadModels } from '@app/ports';
import type { ReadModelDatabase } from './database.js';
import { auditPage } from './queries/audit-page.js';
import { compactionPage } from './queries/compaction-page.js';
import { idleSessions } from './queries/idle-sessions.js';
import { sessionPage, sessionsOf } from './queries/sessions.js';
import { projectionStatus } from './queries/status.js';
import { unfinishedCompactions } from './queries/unfinished-compactions.js';
import type { ReadTables } from './rows/read-tables.js';

/** The read models on a migrated database. */
export const openReadModels = (database: ReadModelDatabase): ReadModels => {
  const db = database.db.withTables<ReadTables>().withSchema('read');
  return {
    sessions: (tenant) => sessionsOf(db, tenant),
    sessionPage: (tenant, page) => sessionPage(db, tenant, page),
    compactionPage: (ref, page) => compactionPage(db, ref, page),
    audit: (filter) => auditPage(db, filter),
    unfinishedCompactions: () => unfinishedCompactions(db),
    idleSessions: (now) => idleSessions(db, now),
    status: () => projectionStatus(db),
  };
};
