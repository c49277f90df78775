import { randomUUID } from 'node:crypto';
import { IsoTime } from '@app/kernel';
import type { Claim, IdempotencyKeys, KeptAnswer, KeyedRequest } from '@app/ports';
import { type Kysely, sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import type { ReadModelTables } from '../tables.js';

type Db = Kysely<ReadModelTables>;

/** So many claims of a process, and what has expired is cleared away. */
const CLAIMS_A_PURGE = 200;

/** The keys of requests, on a migrated database. */
export const openIdempotencyKeys = ({ db }: ReadModelDatabase): IdempotencyKeys => {
  let claims = 0;
  return {
    claim: async (request, leaseMs) => {
      if (claims % CLAIMS_A_PURGE === 0) await purge(db, request);
      claims += 1;
      return claim(db, request, leaseMs);
    },
    renew: (request, holder, leaseMs) => hold(db, request, holder, leaseMs),
    abandon: (request, holder) => hold(db, request, holder, 0),
    answer: (request, holder, answer) => keep(db, request, holder, answer),
    forget: async ({ tenant, key }, holder) => {
      await sql`delete from idempotency_key
        where tenant = ${tenant} and key = ${key} and holder = ${holder} and status is null`.execute(db);
    },
  };
};

const claim = async (db: Db, request: KeyedRequest, leaseMs: number): Promise<Claim> => {
  const holder = randomUUID();
  for (;;) {
    const taken = await take(db, request, holder, leaseMs);
    if (taken)
      return { kind: 'claimed', holder, ...(taken.begun_at && { begunAfter: IsoTime(taken.begun_at) }) };
    const known = await look(db, request);
    if (known) return known; // Forgotten in between: it can be taken now.
  }
};

/** One statement, so that of several at once one has it. */
const take = async (
  db: Db,
  { tenant, key, digest }: KeyedRequest,
  holder: string,
  leaseMs: number,
): Promise<{ readonly begun_at: Date | null } | undefined> => {
  const { rows } = await sql<{ begun_at: Date | null }>`
    insert into idempotency_key as known (tenant, key, request, holder, leased_until, expires_at)
    values (${tenant}, ${key}, ${Buffer.from(digest)}, ${holder}, ${leaseEnd(leaseMs)}, now() + interval '24 hours')
    on conflict (tenant, key) do update set
      request = excluded.request, holder = excluded.holder, leased_until = excluded.leased_until,
      status = null, headers = null, body = null,
      claimed_at = case when known.expires_at <= now() then now() else known.claimed_at end,
      expires_at = case when known.expires_at <= now() then excluded.expires_at else known.expires_at end
    where known.expires_at <= now()
      or (known.status is null and known.leased_until <= now() and known.request = excluded.request)
    returning case when claimed_at < now() then claimed_at end as begun_at`.execute(db);
  return rows[0];
};

type KnownRow = {
  readonly is_same: boolean;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: string | null;
  readonly seconds: number;
};

const look = async (db: Db, { tenant, key, digest }: KeyedRequest): Promise<Claim | undefined> => {
  const { rows } = await sql<KnownRow>`
    select request = ${Buffer.from(digest)} as is_same, status, headers, body,
      ceil(greatest(extract(epoch from leased_until - now()), 1))::integer as seconds
    from idempotency_key where tenant = ${tenant} and key = ${key}`.execute(db);
  const [known] = rows;
  if (!known) return undefined;
  if (!known.is_same) return { kind: 'reused' };
  const { status, headers, body, seconds } = known;
  if (status === null) return { kind: 'in-progress', seconds };
  return { kind: 'answered', answer: { status, headers: headers ?? {}, body } };
};

const hold = async (
  db: Db,
  { tenant, key }: KeyedRequest,
  holder: string,
  leaseMs: number,
): Promise<void> => {
  await sql`update idempotency_key set leased_until = ${leaseEnd(leaseMs)}
    where tenant = ${tenant} and key = ${key} and holder = ${holder} and status is null`.execute(db);
};

const keep = async (
  db: Db,
  { tenant, key }: KeyedRequest,
  holder: string,
  { status, headers, body }: KeptAnswer,
): Promise<void> => {
  await sql`update idempotency_key
    set status = ${status}, headers = ${JSON.stringify(headers)}::jsonb, body = ${body}
    where tenant = ${tenant} and key = ${key} and holder = ${holder} and status is null`.execute(db);
};

const purge = async (db: Db, { tenant }: KeyedRequest): Promise<void> => {
  await sql`delete from idempotency_key where tenant = ${tenant} and expires_at <= now()`.execute(db);
};

const leaseEnd = (leaseMs: number) =>
  sql`now() + make_interval(secs => ${leaseMs / 1_000}::double precision)`;
