import { CompactionId, SessionId, TenantId } from '@app/kernel';
import type { UnfinishedCompaction } from '@app/ports';
import type { Kysely } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';

const COMPACTIONS_MAX = 1_000;

/** Returns unfinished compactions, longest waiting first, at most 1,000. */
export const unfinishedCompactions = async (
  db: Kysely<ReadTables>,
): Promise<readonly UnfinishedCompaction[]> => {
  const rows = await db
    .selectFrom('compactions')
    .select(['tenant', 'session', 'compaction'])
    .where('outcome', 'is', null)
    .orderBy('requested_position')
    .limit(COMPACTIONS_MAX)
    .execute();
  return rows.map(({ tenant, session, compaction }) => ({
    tenant: TenantId(tenant),
    session: SessionId(session),
    compactionId: CompactionId(compaction),
  }));
};
