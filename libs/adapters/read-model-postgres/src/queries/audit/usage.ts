import type {
  CostTotal,
  DescriptionFilter,
  LabelGroup,
  UsageGroup,
  UsageQuery,
  UsageTotals,
} from '@app/ports';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { NOTHING } from '../../projections/usage/amounts.js';
import { AMOUNT_NAMES, type Amounts, type ReadTables } from '../../rows/read-tables.js';
import type { TenantRows } from '../../tenancy/tenant-rows.js';
import { descriptionConditions, isDescribed, isLabelGroup, labelOf } from '../sessions.js';

const GROUPS_MAX = 1_000;

/** Sums over groups, over each source, and over all. `everything` reads the rows of all tenants. */
export const usageTotals = async (
  rowsOf: TenantRows,
  everything: Kysely<ReadTables>,
  { tenant, by, from, to, ...filter }: UsageQuery,
): Promise<UsageTotals> => {
  const all = tenant === 'all' ? everything : rowsOf(tenant);
  const isOfSessions = isDescribed(filter) || isSessionGroup(by);
  let query = all
    .selectFrom(isOfSessions ? bySession(all, by, filter) : byDay(all, by))
    .select([
      'key',
      'source',
      sql<number>`grouping(key, source)`.as('level'),
      sql<bigint>`count(*) over ()`.as('of'),
    ])
    .select(AMOUNT_NAMES.map((name) => sumOf(name).as(name)))
    .groupBy(sql`grouping sets ((key, source), (source), ())`)
    .orderBy('level', 'desc')
    .orderBy(isSessionGroup(by) ? sql`sum(cost_nano_usd) desc, sum(${BILLED}) desc, key` : sql`key`)
    .orderBy('source', 'desc')
    .limit(SUMS_MAX + GROUPS_MAX);
  if (tenant !== 'all') query = query.where('tenant', '=', tenant);
  if (from !== undefined) query = query.where('day', '>=', from);
  if (to !== undefined) query = query.where('day', '<=', to);
  const rows = await query.execute();
  const sums = rows.filter(({ level }) => level > 0);
  const sumBy = (is: (row: (typeof rows)[number]) => boolean) => usageOf(sums.find(is) ?? ZERO);
  const groups = rows.filter(({ level }) => level === 0).slice(0, GROUPS_MAX);
  return {
    total: sumBy(({ level }) => level === OVER_ALL),
    live: sumBy(({ level, source }) => level < OVER_ALL && source === 'live'),
    import: sumBy(({ level, source }) => level < OVER_ALL && source === 'import'),
    groups: groups.map(({ key: name, source, ...row }) => ({ key: name, source, ...usageOf(row) })),
    omittedGroups: Math.max(0, Number(rows[0]?.of ?? 0n) - sums.length - groups.length),
  };
};

/** Whether usage is summed by sessions or by their metadata. */
const isSessionGroup = (
  by: UsageGroup,
): by is 'session' | 'agent' | 'project' | 'user' | 'customer' | LabelGroup =>
  by === 'session' || by === 'agent' || by === 'project' || isLabelGroup(by);

const BILLED = sql.raw('input_tokens + cache_read_tokens + cache_write_tokens + output_tokens');

const byDay = (all: Kysely<ReadTables>, by: UsageGroup) =>
  all
    .selectFrom('usage_by_day')
    .select([sql<string | null>`${sql.ref(by)}::text`.as('key'), 'tenant', 'day', 'source'])
    .select(AMOUNT_NAMES)
    .as('rows');

/** Rows of sessions that pass the filter, with the metadata that the sessions have now. */
const bySession = (all: Kysely<ReadTables>, by: UsageGroup, filter: DescriptionFilter) =>
  all
    .selectFrom('usage_by_session')
    .leftJoin('sessions', (join) =>
      join
        .onRef('sessions.tenant', '=', 'usage_by_session.tenant')
        .onRef('sessions.session', '=', 'usage_by_session.session'),
    )
    .where((eb) => eb.and([...descriptionConditions(filter, (read) => sql`${read(filter)}`)]))
    .select([sessionKey(by).as('key'), 'usage_by_session.tenant', 'day', 'source'])
    .select(AMOUNT_NAMES)
    .as('rows');

const sessionKey = (by: UsageGroup): RawBuilder<string | null> => {
  if (isLabelGroup(by)) return sql`sessions.labels ->> ${labelOf(by)}`;
  const table = by === 'agent' || by === 'project' ? 'sessions' : 'usage_by_session';
  return sql`${sql.ref(`${table}.${by}`)}::text`;
};

/** PostgreSQL's `grouping` value of the grand total. */
const OVER_ALL = 3;
const SUMS_MAX = 3;

type Sums = { readonly [Name in keyof Amounts]: bigint | string };
const ZERO: Sums = NOTHING;

const sumOf = (name: keyof Amounts): RawBuilder<string> => sql<string>`coalesce(sum(${sql.ref(name)}), 0)`;

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
    requests: Number(sums.requests),
    smallerRequests: Number(sums.smaller_requests),
    countedSaved: Number(sums.counted_saved_tokens),
    doubleRuns: {
      runs: Number(sums.double_runs),
      cost: costOf(sums.double_run_cost_nano_usd, sums.double_run_unpriced_tokens),
    },
    completed: Number(sums.completed),
    failed: Number(sums.failed),
    skipped: Number(sums.skipped),
    cancelled: Number(sums.cancelled),
    reverted: Number(sums.reverted),
  },
});

/** Returns a sum of costs; without an amount, instead of 0, if no token had a price. */
export const costOf = (
  nanoUsd: bigint | number | string,
  unpricedTokens: bigint | number | string,
): CostTotal => {
  const [amount, unpriced] = [Number(nanoUsd), Number(unpricedTokens)];
  return { nanoUsd: amount === 0 && unpriced > 0 ? null : amount, unpricedTokens: unpriced };
};
