import type { UsageQuery, UsageTotals } from '@app/ports';
import { type RawBuilder, sql } from 'kysely';
import type { Amounts } from '../../projections/usage/amounts.js';
import { NOTHING } from '../../projections/usage/amounts.js';
import type { TenantRows } from '../../tenancy/tenant-rows.js';
import { costOf } from './cost-total.js';

const GROUPS_MAX = 1_000;

/** Sums over days, models or profiles, and over all of them. */
export const usageTotals = async (
  rowsOf: TenantRows,
  { tenant, by, from, to }: UsageQuery,
): Promise<UsageTotals> => {
  const key = sql`${sql.ref(by)}::text`;
  let query = rowsOf(tenant)
    .selectFrom('usage_by_day')
    .select([sql<string>`${key}`.as('key'), sql<number>`grouping(${key})`.as('is_total')])
    .select(NAMES.map((name) => sumOf(name).as(name)))
    .where('tenant', '=', tenant)
    .groupBy(sql`grouping sets ((${key}), ())`)
    .orderBy('is_total', 'desc')
    .orderBy('key')
    .limit(1 + GROUPS_MAX);
  if (from !== undefined) query = query.where('day', '>=', from);
  if (to !== undefined) query = query.where('day', '<=', to);
  const [total, ...groups] = await query.execute();
  return {
    total: usageOf(total ?? NOTHING),
    groups: groups.map(({ key: name, ...sums }) => ({ key: name, ...usageOf(sums) })),
  };
};

type Sums = { readonly [Name in keyof Amounts]: bigint | number };

const NAMES = Object.keys(NOTHING) as readonly (keyof Amounts)[]; // Exactly its own keys: it is a constant of ours.
const sumOf = (name: keyof Amounts): RawBuilder<bigint> =>
  sql<bigint>`coalesce(sum(${sql.ref(name)}), 0)::bigint`;

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
