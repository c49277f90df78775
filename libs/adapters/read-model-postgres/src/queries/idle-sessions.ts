import { type IsoTime, SessionId, TenantId } from '@app/kernel';
import type { IdleSession } from '@app/ports';
import { type Kysely, sql } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';

const SESSIONS_MAX = 1_000;

/** As the index `sessions_idle` has it (migration 0028): without parameters, so that PostgreSQL sees that they agree. */
const IS_LARGE_ENOUGH = sql<boolean>`idle_after_minutes > 0 and not closed and window_tokens > 0
  and occupancy >= idle_at * window_tokens`;

/** Returns idle sessions by their own profiles, latest first, at most 1,000. */
export const idleSessions = async (db: Kysely<ReadTables>, now: IsoTime): Promise<readonly IdleSession[]> => {
  const rows = await db
    .selectFrom('sessions')
    .select(['tenant', 'session', 'revision'])
    .where(IS_LARGE_ENOUGH)
    .where(
      'updated_at',
      '<=',
      sql<Date>`${now}::timestamptz - make_interval(mins => idle_after_minutes::int)`,
    )
    .orderBy('updated_at', 'desc')
    .limit(SESSIONS_MAX)
    .execute();
  return rows.map(({ tenant, session, revision }) => ({
    tenant: TenantId(tenant),
    session: SessionId(session),
    revision: Number(revision),
  }));
};
