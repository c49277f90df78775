import { Actor, IsoTime, invariant, TenantId, Tokens } from '@app/kernel';
import type { TenantPage, TenantPageRequest } from '@app/ports';
import type { Kysely } from 'kysely';
import type { ReadTables } from '../../rows/read-tables.js';
import { ROWS_MAX } from '../page.js';

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
