import { KEY_PERMISSIONS } from '@app/domain';
import { Actor, IsoTime, invariant, KeyId, LogPosition, TenantId, Tokens } from '@app/kernel';
import type { KeyRecords, KeyUses, TenantPage, TenantPageRequest } from '@app/ports';
import { type Kysely, sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import type { ReadTables } from '../rows/read-tables.js';
import { ROWS_MAX } from './page.js';

/** Returns one page of tenants ordered by id; one more row is read to detect a next page. */
export const tenantPage = async (
  db: Kysely<ReadTables>,
  { after, limit }: TenantPageRequest,
): Promise<TenantPage> => {
  invariant(Number.isSafeInteger(limit) && limit > 0, `a page has a row at least, not ${limit}`);
  const size = Math.min(limit, ROWS_MAX);
  let query = db
    .selectFrom('tenants')
    .select(['tenant', 'name', 'registered_at', 'registered_by'])
    .select(['requests_per_second', 'requests_per_minute', 'tokens_per_minute', 'concurrent_compactions']);
  if (after !== undefined) query = query.where('tenant', '>', after);
  const rows = await query
    .orderBy('tenant')
    .limit(size + 1)
    .execute();
  const items = rows.slice(0, size).map((row) => ({
    tenant: TenantId(row.tenant),
    name: row.name,
    registeredAt: row.registered_at && IsoTime(row.registered_at),
    registeredBy: row.registered_by === null ? null : Actor(row.registered_by),
    limits: {
      requestsPerSecond: Number(row.requests_per_second),
      requestsPerMinute: Number(row.requests_per_minute),
      tokensPerMinute: Tokens(Number(row.tokens_per_minute)),
      concurrentCompactions: Number(row.concurrent_compactions),
    },
  }));
  return { items, next: rows.length > size ? (items.at(-1)?.tenant ?? null) : null };
};

/** Keys and the place in the log that they are as of, from one look at both. */
export const allApiKeys = (db: Kysely<ReadTables>): Promise<KeyRecords> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const read = trx.withSchema('read');
      const checkpoint = await read
        .selectFrom('projection_checkpoint')
        .select('position')
        .where('projection', '=', 'api_keys')
        .executeTakeFirst();
      const rows = await read
        .selectFrom('api_keys')
        .select(['key', 'tenant', 'role', 'permissions', 'hash', 'expires_at', 'revoked'])
        .execute();
      const keys = rows.map((row) => ({
        keyId: KeyId(row.key),
        tenant: TenantId(row.tenant),
        role: row.role,
        permissions: permissionsIn(row.permissions),
        hash: row.hash,
        expiresAt: row.expires_at && IsoTime(row.expires_at),
        revoked: row.revoked,
      }));
      return { keys, position: checkpoint?.position == null ? 'start' : LogPosition(checkpoint.position) };
    });

const permissionsIn = (words: string) => {
  const given = words.split(' ');
  return KEY_PERMISSIONS.filter((one) => given.includes(one));
};

/** Uses of keys on a migrated database. */
export const openKeyUses = ({ db }: ReadModelDatabase): KeyUses => ({
  note: async (tenant, key, at) => {
    // The latest time wins, in any order of processes.
    await sql`insert into key_use (key, tenant, used_at) values (${key}, ${tenant}, ${at}::timestamptz)
      on conflict (key) do update set used_at = greatest(key_use.used_at, excluded.used_at)`.execute(db);
  },
  of: async (tenant) => {
    const rows = await db
      .selectFrom('key_use')
      .select(['key', 'used_at'])
      .where('tenant', '=', tenant)
      .execute();
    return new Map(rows.map(({ key, used_at }) => [KeyId(key), IsoTime(used_at)]));
  },
});
