import type { UsageQuery, UsageTotals } from '@app/ports';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Amounts } from '../../projections/usage/amounts.js';
import { NOTHING } from '../../projections/usage/amounts.js';
import type { ReadTables } from '../../rows/read-tables.js';
import { asTenant } from '../../tenancy/as-tenant.js';
import { costOf } from './cost-total.js';

const GROUPS_MAX = 1_000;

/** Sums over days, models or profiles, and over all of them. */
export const usageTotals = async (db: Kysely<ReadTables>, query: UsageQuery): Promise<UsageTotals> => {
  const [groups, [total]] = await asTenant(db, query.tenant, async (own) => [
    await sumsOf(own, query, sql`${sql.ref(query.by)}::text`),
    await sumsOf(own, query, sql`'all'`),
  ]);
  return {
    total: usageOf(total ?? NOTHING),
    groups: groups.map(({ key, ...sums }) => ({ key, ...usageOf(sums) })),
  };
};

type Sums = { readonly [Name in keyof Amounts]: bigint | number };

const sumsOf = (
  db: Kysely<ReadTables>,
  { tenant, from, to }: UsageQuery,
  key: RawBuilder<unknown>,
): Promise<readonly (Sums & { readonly key: string })[]> => {
  let query = db
    .selectFrom('usage_by_day')
    .select([sql<string>`${key}`.as('key'), ...NAMES.map((name) => sumOf(name).as(name))])
    .where('tenant', '=', tenant)
    .groupBy('key')
    .orderBy('key')
    .limit(GROUPS_MAX);
  if (from !== undefined) query = query.where('day', '>=', from);
  if (to !== undefined) query = query.where('day', '<=', to);
  return query.execute();
};

const NAMES = Object.keys(NOTHING) as readonly (keyof Amounts)[]; // Exactly its own keys: it is a constant of ours.
const sumOf = (name: keyof Amounts): RawBuilder<bigint> => sql<bigint>`sum(${sql.ref(name)})::bigint`;

const usageOf = (sums: Sums): UsageTotals['total'] => ({
  calls: Number(sums.calls),
  cost: costOf(sums.cost_nano_usd, sums.unpriced_tokens),
  tokens: {
    input: Number(sums.input_tokens),
    cacheRead: Number(sums.cache_read_tokens),
    cacheWrite: Number(sums.cache_write_tokens),
    output: Number(sums.output_tokens),
  },
  compactions: {
    tokens: {
      input: Number(sums.compaction_input_tokens),
      cacheRead: Number(sums.compaction_cache_read_tokens),
      cacheWrite: Number(sums.compaction_cache_write_tokens),
      output: Number(sums.compaction_output_tokens),
    },
    cost: costOf(sums.compaction_cost_nano_usd, sums.compaction_unpriced_tokens),
    savedTokens: Number(sums.saved_tokens),
    completed: Number(sums.completed),
    failed: Number(sums.failed),
    skipped: Number(sums.skipped),
    cancelled: Number(sums.cancelled),
    reverted: Number(sums.reverted),
  },
});
