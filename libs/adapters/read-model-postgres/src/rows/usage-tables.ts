import { type RowOf, table } from './kinds.js';

/** The sums of each row. Columns are documented in the migrations of `read.usage_by_day`. */
const AMOUNTS = {
  calls: 'sum',
  input_tokens: 'sum',
  cache_read_tokens: 'sum',
  cache_write_tokens: 'sum',
  output_tokens: 'sum',
  compaction_input_tokens: 'sum',
  compaction_cache_read_tokens: 'sum',
  compaction_cache_write_tokens: 'sum',
  compaction_output_tokens: 'sum',
  cost_nano_usd: 'sum',
  unpriced_tokens: 'sum',
  compaction_cost_nano_usd: 'sum',
  compaction_unpriced_tokens: 'sum',
  requests: 'sum',
  smaller_requests: 'sum',
  counted_saved_tokens: 'sum',
  double_runs: 'sum',
  double_run_cost_nano_usd: 'sum',
  double_run_unpriced_tokens: 'sum',
  completed: 'sum',
  failed: 'sum',
  skipped: 'sum',
  cancelled: 'sum',
  reverted: 'sum',
} as const;
const KEY = { tenant: 'text', day: 'day', source: 'usage-source', model: 'text', profile: 'text' } as const;

/** All that a row adds up: whole numbers of any length. */
export type Amounts = RowOf<typeof AMOUNTS>;
/** Exactly the names of {@link Amounts}. */
export const AMOUNT_NAMES = Object.keys(AMOUNTS) as readonly (keyof Amounts)[];

/** `read.usage_by_day`. */
export const usageByDay = table('usage_by_day', ['tenant', 'day', 'source', 'model', 'profile'], {
  ...KEY,
  ...AMOUNTS,
});
export type UsageByDayRow = RowOf<typeof usageByDay.columns>;
/** `read.usage_by_session`: the same for each session. */
export const usageBySession = table(
  'usage_by_session',
  ['tenant', 'session', 'day', 'source', 'model', 'profile'],
  { ...KEY, session: 'text', ...AMOUNTS },
);
export type UsageBySessionRow = RowOf<typeof usageBySession.columns>;
