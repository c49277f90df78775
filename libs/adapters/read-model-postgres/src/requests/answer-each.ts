import type { KeptAnswer, KeyedRequest } from '@app/ports';
import { type Kysely, sql } from 'kysely';
import type { ReadModelTables } from '../tables.js';

export type Answering = {
  readonly request: KeyedRequest;
  readonly holder: string;
  readonly kept: KeptAnswer;
};

/**
 * Stores the answers of requests with different keys whose leases are still held. An answer with text is not stored if content was
 * erased meanwhile, which `headers` of its claim says: the request can be repeated at once.
 */
export const answerEach = async (
  db: Kysely<ReadModelTables>,
  answering: readonly Answering[],
): Promise<readonly undefined[]> => {
  const isKept = sql`(known.headers is null or not coalesce(starts_with(answer.body, 'sealed.'), false))`;
  await sql`update idempotency_key as known
    set status = case when ${isKept} then answer.status end,
      headers = case when ${isKept} then answer.headers::jsonb end,
      body = case when ${isKept} then answer.body end,
      leased_until = case when ${isKept} then known.leased_until else now() end
    from unnest(
      ${answering.map(({ request }) => request.tenant)}::text[],
      ${answering.map(({ request }) => request.key)}::text[],
      ${answering.map(({ holder }) => holder)}::uuid[],
      ${answering.map(({ kept }) => kept.status)}::integer[],
      ${answering.map(({ kept }) => JSON.stringify(kept.headers))}::text[],
      ${answering.map(({ kept }) => kept.body)}::text[]
    ) as answer (tenant, key, holder, status, headers, body)
    where known.tenant = answer.tenant and known.key = answer.key and known.holder = answer.holder
      and known.status is null`.execute(db);
  return answering.map(() => undefined);
};
