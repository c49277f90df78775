import { IsoTime, SessionId, type TenantId } from '@app/kernel';
import type { SessionSummary } from '@app/ports';
import type { Kysely } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';

const SESSIONS_MAX = 1_000;

/** Newest activity first, the newest thousand. */
export const sessionsOf = async (
  db: Kysely<ReadTables>,
  tenant: TenantId,
): Promise<readonly SessionSummary[]> => {
  const rows = await db
    .selectFrom('sessions')
    .select(['session', 'turns', 'messages', 'occupancy', 'window_tokens', 'state', 'compactions'])
    .select(['revision', 'profile', 'model', 'opened_at', 'updated_at'])
    .where('tenant', '=', tenant)
    .orderBy('position', 'desc')
    .limit(SESSIONS_MAX)
    .execute();
  return rows.map((row) => ({
    session: SessionId(row.session),
    turns: Number(row.turns),
    messages: Number(row.messages),
    occupancy: Number(row.occupancy),
    window: Number(row.window_tokens),
    state: row.state,
    compactions: Number(row.compactions),
    revision: Number(row.revision),
    profile: row.profile,
    model: row.model,
    openedAt: IsoTime(row.opened_at),
    updatedAt: IsoTime(row.updated_at),
  }));
};
