import { randomUUID } from 'node:crypto';
import { IsoTime } from '@app/kernel';
import { type Claim, type KeyedRequest, ROUTE_BYTES } from '@app/ports';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ReadModelTables } from '../tables.js';

type Db = Kysely<ReadModelTables>;
export type Claiming = { readonly request: KeyedRequest; readonly leaseMs: number };

/** Claims requests with different keys, independently of each other. */
export const claimEach = async (db: Db, claiming: readonly Claiming[]): Promise<readonly Claim[]> => {
  const all = claiming.map((one) => ({ ...one, holder: randomUUID() }));
  const claims = new Map<Wanted, Claim>();
  for (let open: readonly Wanted[] = all; open.length > 0; open = open.filter((one) => !claims.has(one))) {
    await take(db, open, claims);
    const others = open.filter((one) => !claims.has(one));
    // A key neither claimed nor found expired in between, and can be claimed now.
    if (others.length > 0) await look(db, others, claims);
  }
  return all.flatMap((one) => claims.get(one) ?? []);
};

type Wanted = Claiming & { readonly holder: string };
type Row = { readonly tenant: string; readonly key: string };
const find = (wanted: readonly Wanted[], { tenant, key }: Row): Wanted | undefined =>
  wanted.find(({ request }) => request.tenant === tenant && request.key === key);

/**
 * Returns what is left of a digest whose key was destroyed with its tenant: the route. Requests of one route can no longer be told
 * apart, so that each counts as the first one.
 */
export const withoutKeyed = (digest: RawBuilder<unknown>): RawBuilder<Uint8Array> =>
  sql`substr(${digest}, 1, ${ROUTE_BYTES}::integer) || ${Buffer.alloc(32 - ROUTE_BYTES)}::bytea`;

/** One statement, so that of several at once one has each; in one order, so that two of them do not wait for each other. */
const take = async (db: Db, wanted: readonly Wanted[], claims: Map<Wanted, Claim>): Promise<void> => {
  const { rows } = await sql<Row & { readonly begun_at: Date | null }>`
    insert into idempotency_key as known (tenant, key, request, holder, leased_until, expires_at)
    select tenant, key, request, holder, ${leaseEnd(sql`lease`)}, now() + interval '24 hours'
    from unnest(
      ${wanted.map(({ request }) => request.tenant)}::text[],
      ${wanted.map(({ request }) => request.key)}::text[],
      ${wanted.map(({ request }) => Buffer.from(request.digest))}::bytea[],
      ${wanted.map(({ holder }) => holder)}::uuid[],
      ${wanted.map(({ leaseMs }) => leaseMs)}::double precision[]
    ) as claim (tenant, key, request, holder, lease)
    order by tenant, key
    on conflict (tenant, key) do update set
      request = excluded.request, holder = excluded.holder, leased_until = excluded.leased_until,
      status = null, headers = null, body = null,
      claimed_at = case when known.expires_at <= now() then now() else known.claimed_at end,
      expires_at = case when known.expires_at <= now() then excluded.expires_at else known.expires_at end
    where known.expires_at <= now()
      or (known.status is null and known.leased_until <= now() and known.request in (excluded.request, ${withoutKeyed(sql`excluded.request`)}))
    returning tenant, key, case when claimed_at < now() then claimed_at end as begun_at`.execute(db);
  for (const row of rows) {
    const one = find(wanted, row);
    const begun = row.begun_at && { begunAfter: IsoTime(row.begun_at) };
    if (one) claims.set(one, { kind: 'claimed', holder: one.holder, ...begun });
  }
};

type KnownRow = Row & {
  readonly is_same: boolean;
  readonly is_erasing: boolean;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: string | null;
  readonly seconds: number;
};

const look = async (db: Db, wanted: readonly Wanted[], claims: Map<Wanted, Claim>): Promise<void> => {
  const { rows } = await sql<KnownRow>`
    select tenant, key, known.request in (claim.request, ${withoutKeyed(sql`claim.request`)}) as is_same,
      exists (select 1 from keys.fence where fence.tenant = known.tenant and fence.scope = 'tenant') as is_erasing, status, headers, body,
      ceil(greatest(extract(epoch from leased_until - now()), 1))::integer as seconds
    from unnest(
      ${wanted.map(({ request }) => request.tenant)}::text[],
      ${wanted.map(({ request }) => request.key)}::text[],
      ${wanted.map(({ request }) => Buffer.from(request.digest))}::bytea[]
    ) as claim (tenant, key, request) join idempotency_key as known using (tenant, key)`.execute(db);
  for (const row of rows) {
    const one = find(wanted, row);
    if (one) claims.set(one, claimOf(row));
  }
};

const claimOf = ({ is_same, is_erasing, status, headers, body, seconds }: KnownRow): Claim => {
  // The digest may be one by the tenant's former key.
  if (!is_same) return { kind: is_erasing ? 'erasing' : 'reused' };
  if (status === null) return { kind: 'in-progress', seconds };
  return { kind: 'answered', answer: { status, headers: headers ?? {}, body } };
};

/** Returns the time after the given milliseconds. */
export const leaseEnd = (leaseMs: RawBuilder<unknown>) =>
  sql`now() + make_interval(secs => ${leaseMs}::double precision / 1000)`;
