import type { Claim, IdempotencyKeys, KeptAnswer, KeyedRequest } from '@app/ports';
import { type Kysely, sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import { isOutage } from '../projector/stopped-streams.js';
import type { ReadModelTables } from '../tables.js';
import { type Claiming, claimEach, leaseEnd } from './claim-each.js';
import { inGroups } from './in-groups.js';

/** Claims of a process between two purges of expired keys. */
const CLAIMS_A_PURGE = 200;

/** The keys of requests, on a migrated database. Claims and answers of requests at the same time are written together. */
export const openIdempotencyKeys = ({ db }: ReadModelDatabase): IdempotencyKeys => {
  const claim = inGroups<Claiming, Claim>({ keyOf, carryOut: (items) => claimEach(db, items), isOutage });
  const answer = inGroups<Answering, undefined>({
    keyOf,
    carryOut: (items) => answerEach(db, items),
    isOutage,
  });
  let claims = 0;
  const hold = async ({ tenant, key }: KeyedRequest, holder: string, leaseMs: number): Promise<void> => {
    await sql`update idempotency_key set leased_until = ${leaseEnd(sql`${leaseMs}`)}
      where tenant = ${tenant} and key = ${key} and holder = ${holder} and status is null`.execute(db);
  };
  return {
    claim: async (request, leaseMs) => {
      if (claims % CLAIMS_A_PURGE === 0)
        await sql`delete from idempotency_key where tenant = ${request.tenant} and expires_at <= now()`.execute(
          db,
        );
      claims += 1;
      return claim({ request, leaseMs });
    },
    renew: hold,
    abandon: (request, holder) => hold(request, holder, 0),
    answer: (request, holder, kept) => answer({ request, holder, kept }),
    forget: async ({ tenant, key }, holder) => {
      await sql`delete from idempotency_key
        where tenant = ${tenant} and key = ${key} and holder = ${holder} and status is null`.execute(db);
    },
  };
};

/** A tenant has no blank in it. */
const keyOf = ({ request }: { readonly request: KeyedRequest }): string => `${request.tenant} ${request.key}`;

type Answering = {
  readonly request: KeyedRequest;
  readonly holder: string;
  readonly kept: KeptAnswer;
};

/**
 * Stores the answers of requests with different keys whose leases are still held. An answer with text is not stored if content was
 * erased meanwhile, which `headers` of its claim says: the request can be repeated at once. Rows are locked in one order, as an erasure
 * locks them, so that the two do not wait for each other.
 */
const answerEach = async (
  db: Kysely<ReadModelTables>,
  answering: readonly Answering[],
): Promise<readonly undefined[]> => {
  const isKept = sql`(known.headers is null or not coalesce(starts_with(answer.body, 'sealed.'), false))`;
  await sql`update idempotency_key as known
    set status = case when ${isKept} then answer.status end,
      headers = case when ${isKept} then answer.headers::jsonb end,
      body = case when ${isKept} then answer.body end,
      leased_until = case when ${isKept} then known.leased_until else now() end
    from (select answer.* from unnest(
      ${answering.map(({ request }) => request.tenant)}::text[],
      ${answering.map(({ request }) => request.key)}::text[],
      ${answering.map(({ holder }) => holder)}::uuid[],
      ${answering.map(({ kept }) => kept.status)}::integer[],
      ${answering.map(({ kept }) => JSON.stringify(kept.headers))}::text[],
      ${answering.map(({ kept }) => kept.body)}::text[]
    ) as answer (tenant, key, holder, status, headers, body) join idempotency_key as own using (tenant, key)
      order by tenant, key for update of own) as answer
    where known.tenant = answer.tenant and known.key = answer.key and known.holder = answer.holder
      and known.status is null`.execute(db);
  return answering.map(() => undefined);
};
