import type { KeptAnswer, KeyedRequest } from '@app/ports';
import { type Kysely, sql } from 'kysely';
import type { ReadModelTables } from '../tables.js';

export type Answering = {
  readonly request: KeyedRequest;
  readonly holder: string;
  readonly kept: KeptAnswer;
};

/** Stores the answers of requests with different keys whose leases are still held. */
export const answerEach = async (
  db: Kysely<ReadModelTables>,
  answering: readonly Answering[],
): Promise<readonly undefined[]> => {
  await sql`update idempotency_key as known
    set status = answer.status, headers = answer.headers::jsonb, body = answer.body
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
