import type { ErasureTarget } from '@app/domain';
import { AppError, IsoTime, invariant, Revision, SessionId, TenantId } from '@app/kernel';
import { type DestroyedKeys, type ErasableKeys, KeptError, type KeysToErase } from '@app/ports';
import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { ReadModelDatabase } from '../database.js';
import { inTurn } from '../in-turn.js';
import type { ReadModelTables } from '../tables.js';
import { type Db, durably } from './tenant-keys.js';

type Trx = Transaction<ReadModelTables>;

/** Serializes erasures with the making of keys, which go on beside each other. */
export const lockKeys = (trx: Trx, tenant: string, mode: 'shared' | 'exclusive'): Promise<void> =>
  lock(trx, `palimpsest keys ${tenant}`, mode);

/** The same for the holds and retention periods of sessions. A holder makes keys: this lock is always the first of the two. */
const lockProtection = (trx: Trx, tenant: string, mode: 'shared' | 'exclusive'): Promise<void> =>
  lock(trx, `palimpsest protection ${tenant}`, mode);

const lock = async (trx: Trx, name: string, mode: 'shared' | 'exclusive'): Promise<void> => {
  await (mode === 'shared'
    ? sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.execute(trx)
    : sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx));
};

type Place = { readonly tenant: string; readonly session: string; readonly subject: string };

/** Whether an erasure in progress concerns a key that is to be made. */
export const isFenced = async (trx: Trx, { tenant, session, subject }: Place): Promise<boolean> => {
  const { rows } = await sql`select 1 from keys.fence where tenant = ${tenant}
    and (scope = 'tenant' or session = ${session} or subject = ${subject}) limit 1`.execute(trx);
  return rows.length > 0;
};

/** Whether an erasure in progress concerns content of a session, destroyed or not. */
const isSessionFenced = async (db: Db, tenant: string, session: string): Promise<boolean> => {
  const { rows } = await sql`select 1 from keys.fence as fence where tenant = ${tenant}
    and (scope = 'tenant' or session = ${session} or exists (select 1 from keys.content_key as one
      where one.tenant = ${tenant} and one.session = ${session} and one.subject = fence.subject)) limit 1`.execute(
    db,
  );
  return rows.length > 0;
};

export const erasing = (session: string): AppError =>
  new AppError(
    'erasure-in-progress',
    `content of session "${session}" or of one of its subjects is being erased: repeat the request in a few seconds`,
  );

type Erasing = Pick<
  ErasableKeys,
  'protecting' | 'fence' | 'destroy' | 'destroyed' | 'destroyAgain' | 'release' | 'ledgers' | 'carriedOut'
>;

/** Destroying keys in a database, where `durably` makes sure that no crash brings them back. */
export const eraseKeys = (db: Db): Erasing => ({
  protecting: inTurn((tenant, session, record) =>
    db.transaction().execute(async (trx) => {
      await lockProtection(trx, tenant, 'shared');
      // Not in this transaction, which would keep a table locked that `record` reads, behind an erasure that rewrites it.
      if (await isSessionFenced(db, tenant, session)) throw erasing(session);
      return record();
    }),
  ),
  // Each waits for a protection, which needs another connection before it ends.
  fence: inTurn(({ tenant, erasure, scope, session = null, subject = null }) =>
    durably(db, async (trx) => {
      await lockProtection(trx, tenant, 'exclusive');
      await lockKeys(trx, tenant, 'exclusive');
      const found = scope === 'tenant' ? await tenantKeyIn(trx, tenant) : null;
      await sql`insert into keys.fence (tenant, erasure, scope, session, subject, tenant_key)
        values (${tenant}, ${erasure}, ${scope}, ${session}, ${subject}, ${found}) on conflict do nothing`.execute(
        trx,
      );
    }),
  ),
  destroy: (order) =>
    refusable(() =>
      durably(db, async (trx) => {
        const { tenant, erasure, scope } = order;
        await lockKeys(trx, tenant, 'exclusive');
        const { rows } = await sql`select 1 from keys.fence
        where tenant = ${tenant} and erasure = ${erasure}`.execute(trx);
        if (rows.length === 0) return undefined;
        if (scope === 'tenant') await sql`delete from keys.tenant_key where tenant = ${tenant}`.execute(trx);
        await markErased(trx, order, concerned(order));
        return destroyedBy(trx, tenant, erasure);
      }),
    ),
  destroyed: (tenant, erasure) => destroyedBy(db, tenant, erasure),
  destroyAgain: (order, { keys, tenantKey }) =>
    durably(db, async (trx) => {
      const { tenant, scope, erased } = order;
      await lockKeys(trx, tenant, 'exclusive');
      const prefix = tenantKey === undefined ? null : `v1.${tenantKey}.`;
      // A key of the tenant without a content key is known by its age.
      if (scope === 'tenant')
        await sql`delete from keys.tenant_key where tenant = ${tenant} and (
          exists (select 1 from keys.content_key as one
            where one.tenant = ${tenant} and starts_with(one.wrapped, ${prefix}::text))
          or created_at <= ${erased.at}::timestamptz and not exists (select 1 from keys.content_key as one
            where one.tenant = ${tenant} and one.wrapped is not null))`.execute(trx);
      return markErased(
        trx,
        order,
        prefix === null ? sql`id = any(${[...keys]})` : sql`starts_with(wrapped, ${prefix})`,
      );
    }),
  release: async (tenant, erasure) => {
    await sql`delete from keys.fence where tenant = ${tenant} and erasure = ${erasure}`.execute(db);
  },
  ledgers: async () => {
    const { rows } = await sql<{ readonly tenant: string; readonly revision: bigint | null }>`
      select tenant, revision from (select tenant from keys.tenant_key union select tenant from keys.fence) as known
        full join keys.ledger using (tenant) order by tenant`.execute(db);
    return rows.map(({ tenant, revision }) => ({
      tenant: TenantId(tenant),
      revision: revision === null ? undefined : Revision(Number(revision)),
    }));
  },
  carriedOut: async (tenant, revision) => {
    await sql`insert into keys.ledger (tenant, revision) values (${tenant}, ${revision})
      on conflict (tenant) do update set revision = greatest(keys.ledger.revision, excluded.revision)`.execute(
      db,
    );
  },
});

/** Turns the refusal of the database (migration 0040) into an error of the port. */
const refusable = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    const refusal = kept.safeParse(error).data;
    throw refusal ? new KeptError(refusal.message, IsoTime(refusal.detail)) : error;
  }
};
const kept = z.object({ code: z.literal('PK001'), message: z.string(), detail: z.string() });

const concerned = ({ scope, session, subject }: KeysToErase) => {
  if (scope === 'tenant') return sql`true`;
  if (scope === 'session') return sql`session = ${session}`;
  invariant(subject !== undefined, 'the erasure of a subject names it');
  return sql`subject = ${subject}`;
};

/** Overwrites the wrapped keys; a row stays in the place of each. Returns how many there were. */
const markErased = async (
  trx: Trx,
  { tenant, erasure, scope, erased }: KeysToErase,
  which: ReturnType<typeof concerned>,
): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`update keys.content_key
    set wrapped = null, erasure = ${erasure}, erasure_scope = ${scope}, erased_by = ${erased.by},
      erased_at = ${erased.at}
    where tenant = ${tenant} and erased_at is null and ${which}`.execute(trx);
  return Number(numAffectedRows);
};

/** Returns the id of the tenant's key; `null` if it has wrapped no other. */
const tenantKeyIn = async (trx: Trx, tenant: string): Promise<string | null> => {
  const { rows } = await sql<{ readonly wrapped: string }>`select wrapped from keys.content_key
    where tenant = ${tenant} and wrapped is not null limit 1`.execute(trx);
  return rows[0]?.wrapped.split('.')[1] ?? null;
};

/** All keys of the erasure, including the ones that an interrupted attempt destroyed. */
const destroyedBy = async (db: Db, tenant: string, erasure: string): Promise<DestroyedKeys> => {
  const fence = await sql<{ readonly tenant_key: string | null }>`select tenant_key from keys.fence
    where tenant = ${tenant} and erasure = ${erasure}`.execute(db);
  const tenantKey = fence.rows[0]?.tenant_key ?? undefined;
  const { rows } = await sql<{ readonly id: string; readonly session: string }>`
    select id, session from keys.content_key where tenant = ${tenant} and erasure = ${erasure} order by id`.execute(
    db,
  );
  return {
    keys: tenantKey !== undefined ? [] : rows.map(({ id }) => id),
    ...(tenantKey !== undefined && { tenantKey }),
    count: rows.length,
    sessions: [...new Set(rows.map(({ session }) => SessionId(session)))],
  };
};

/** Returns the sessions with content that an erasure of the target would destroy, by their keys. */
export const sessionsConcerned =
  ({ db }: Pick<ReadModelDatabase, 'db'>) =>
  async (tenant: TenantId, target: ErasureTarget): Promise<readonly SessionId[]> => {
    if (target.scope === 'session') return [target.session];
    const subject = target.scope === 'subject' ? target.subject : null;
    const { rows } = await sql<{ session: string }>`select distinct session from keys.content_key
      where tenant = ${tenant} and erased_at is null and (${subject}::text is null or subject = ${subject})
      order by session`.execute(db);
    return rows.map(({ session }) => SessionId(session));
  };
