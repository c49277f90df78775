import type { LegalHold } from '@app/domain';
import { Actor, IsoTime, isJsonObject, type JsonObject, MatterName, SessionId, TenantId } from '@app/kernel';
import type { DueRetention, HeldSession, HeldSessionQuery, Page } from '@app/ports';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';
import { storableText } from '../rows/storable.js';
import type { TenantRows } from '../tenancy/tenant-rows.js';
import { pageOf } from './page.js';

/** Due sessions that are read at once. */
const PAGE_SIZE = 1_000;

/** As the index `sessions_held` has it (migration 0031). */
const IS_HELD = sql<SqlBool>`legal_holds <> '{}'`;

/** Returns the sessions of a tenant that are held, newest activity first. */
export const heldSessions = async (
  rowsOf: TenantRows,
  { tenant, matter, ...page }: HeldSessionQuery,
): Promise<Page<HeldSession>> => {
  const read = (limit: number) => {
    let query = rowsOf(tenant)
      .selectFrom('sessions')
      .select(['session', 'legal_holds', 'retention_mode', 'retain_until', 'retention_days', 'position'])
      .where('tenant', '=', tenant)
      .where(IS_HELD);
    if (matter !== undefined)
      query = query.where(sql<SqlBool>`jsonb_exists(legal_holds, ${storableText(matter)})`);
    if (page.before !== undefined) query = query.where('position', '<', page.before);
    return query.orderBy('position', 'desc').limit(limit).execute();
  };
  return pageOf(
    page,
    read,
    (row) => row.position,
    ({ session, legal_holds, retention_mode: mode, retain_until, retention_days }) => ({
      session: SessionId(session),
      holds: holdsOf(legal_holds),
      period:
        mode === null || retain_until === null
          ? null
          : {
              mode,
              until: IsoTime(retain_until),
              ...(retention_days !== null && { days: Number(retention_days) }),
            },
    }),
  );
};

const holdsOf = (column: JsonObject): readonly LegalHold[] =>
  Object.entries(column)
    .flatMap(([matter, hold]) =>
      isJsonObject(hold)
        ? [
            {
              matter: MatterName(matter),
              reason: String(hold.reason),
              by: Actor(String(hold.by)),
              at: IsoTime(String(hold.at)),
            },
          ]
        : [],
    )
    .sort((one, other) => one.at.localeCompare(other.at));

/**
 * Returns sessions whose retention period ends by `now` without a hold, earliest first, then those whose date has to move by a
 * day or more because of newer events. They are read page by page, so that any number of them can be due.
 */
export async function* dueRetentions(
  db: Kysely<ReadTables>,
  now: IsoTime,
  pageSize = PAGE_SIZE,
): AsyncIterable<DueRetention> {
  const isEnded = sql<SqlBool>`retain_until <= ${new Date(now)} and legal_holds = '{}'`;
  const isMoving = sql<SqlBool>`retain_until > ${new Date(now)}
    and active_at + make_interval(days => retention_days::int - 1) >= retain_until`;
  for (const condition of [isEnded, isMoving]) yield* duePages(db, condition, pageSize);
}

async function* duePages(
  db: Kysely<ReadTables>,
  condition: RawBuilder<SqlBool>,
  pageSize: number,
): AsyncIterable<DueRetention> {
  for (let after = sql<SqlBool>`true`; ; ) {
    const rows = await db
      .selectFrom('sessions')
      .select(['tenant', 'session', 'revision', sql<string>`retain_until::text`.as('until')])
      .where(condition)
      .where(after)
      .orderBy('retain_until')
      .orderBy('tenant')
      .orderBy('session')
      .limit(pageSize)
      .execute();
    for (const { tenant, session, revision } of rows)
      yield { tenant: TenantId(tenant), session: SessionId(session), revision: Number(revision) };
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    // As text: a date of JavaScript has no microseconds.
    after = sql<SqlBool>`(retain_until, tenant, session) > (${last.until}::timestamptz, ${last.tenant}, ${last.session})`;
  }
}
