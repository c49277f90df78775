import { type RowOf, table } from './kinds.js';

/** `read.usage_by_day`: its migration says what the columns mean. */
export const usageByDay = table('usage_by_day', ['tenant', 'day', 'model', 'profile'], {
  tenant: 'text',
  day: 'day',
  model: 'text',
  profile: 'text',
  calls: 'count',
  input_tokens: 'count',
  cache_read_tokens: 'count',
  cache_write_tokens: 'count',
  output_tokens: 'count',
  compaction_input_tokens: 'count',
  compaction_cache_read_tokens: 'count',
  compaction_cache_write_tokens: 'count',
  compaction_output_tokens: 'count',
  cost_nano_usd: 'count',
  unpriced_tokens: 'count',
  compaction_cost_nano_usd: 'count',
  compaction_unpriced_tokens: 'count',
  saved_tokens: 'count',
  completed: 'count',
  failed: 'count',
  skipped: 'count',
  cancelled: 'count',
  reverted: 'count',
});
export type UsageByDayRow = RowOf<typeof usageByDay.columns>;
