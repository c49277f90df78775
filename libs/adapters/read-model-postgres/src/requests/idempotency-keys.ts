import type { Claim, IdempotencyKeys, KeyedRequest } from '@app/ports';
import { sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import { isOutage } from '../projector/stopped-streams.js';
import { type Answering, answerEach } from './answer-each.js';
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
