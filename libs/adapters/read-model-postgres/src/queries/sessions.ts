import { IsoTime, SessionId, type TenantId } from '@app/kernel';
import type { Page, PageRequest, SessionSummary } from '@app/ports';
import type { TenantRows } from '../tenancy/tenant-rows.js';
import { pageOf, ROWS_MAX } from './page.js';

/** Newest activity first, the newest thousand. */
export const sessionsOf = async (rowsOf: TenantRows, tenant: TenantId): Promise<readonly SessionSummary[]> =>
  (await sessionPage(rowsOf, tenant, { limit: ROWS_MAX })).items;

/** Newest activity first. */
export const sessionPage = async (
  rowsOf: TenantRows,
  tenant: TenantId,
  page: PageRequest,
): Promise<Page<SessionSummary>> => {
  const { before } = page;
  const read = (limit: number) => {
    let query = rowsOf(tenant)
      .selectFrom('sessions')
      .select(['session', 'turns', 'messages', 'occupancy', 'window_tokens', 'state', 'compactions'])
      .select(['revision', 'profile', 'model', 'opened_at', 'updated_at', 'position'])
      .where('tenant', '=', tenant);
    if (before !== undefined) query = query.where('position', '<', before);
    return query.orderBy('position', 'desc').limit(limit).execute();
  };
  return pageOf(
    page,
    read,
    ({ position }) => position,
    (row) => ({
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
    }),
  );
};
