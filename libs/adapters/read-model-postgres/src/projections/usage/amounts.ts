import type { Cost, SessionEvent, Usage } from '@app/domain';
import type { UsageByDayRow } from '../../rows/usage-tables.js';
import { outcomeOf } from '../surroundings/outcome.js';
import { priceOf } from '../surroundings/price.js';
import type { Surroundings } from '../surroundings/surroundings.js';

/** All that a row of `read.usage_by_day` adds up. */
export type Amounts = Omit<UsageByDayRow, 'tenant' | 'day' | 'model' | 'profile'>;

export const NOTHING: Amounts = {
  calls: 0,
  input_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 0,
  compaction_input_tokens: 0,
  compaction_cache_read_tokens: 0,
  compaction_cache_write_tokens: 0,
  compaction_output_tokens: 0,
  cost_nano_usd: 0,
  unpriced_tokens: 0,
  compaction_cost_nano_usd: 0,
  compaction_unpriced_tokens: 0,
  saved_tokens: 0,
  completed: 0,
  failed: 0,
  skipped: 0,
  cancelled: 0,
  reverted: 0,
};

export const plus = (a: Amounts, b: Amounts): Amounts => ({
  calls: a.calls + b.calls,
  input_tokens: a.input_tokens + b.input_tokens,
  cache_read_tokens: a.cache_read_tokens + b.cache_read_tokens,
  cache_write_tokens: a.cache_write_tokens + b.cache_write_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  compaction_input_tokens: a.compaction_input_tokens + b.compaction_input_tokens,
  compaction_cache_read_tokens: a.compaction_cache_read_tokens + b.compaction_cache_read_tokens,
  compaction_cache_write_tokens: a.compaction_cache_write_tokens + b.compaction_cache_write_tokens,
  compaction_output_tokens: a.compaction_output_tokens + b.compaction_output_tokens,
  cost_nano_usd: a.cost_nano_usd + b.cost_nano_usd,
  unpriced_tokens: a.unpriced_tokens + b.unpriced_tokens,
  compaction_cost_nano_usd: a.compaction_cost_nano_usd + b.compaction_cost_nano_usd,
  compaction_unpriced_tokens: a.compaction_unpriced_tokens + b.compaction_unpriced_tokens,
  saved_tokens: a.saved_tokens + b.saved_tokens,
  completed: a.completed + b.completed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  cancelled: a.cancelled + b.cancelled,
  reverted: a.reverted + b.reverted,
});

/** What an event adds, and under which model: that which was billed, or that whose requests became shorter. */
export type Share = { readonly model: string | null; readonly amounts: Amounts };

export const amountsIn = (event: SessionEvent, around: Surroundings): readonly Share[] => {
  const { type, data } = event;
  switch (type) {
    case 'UsageReported':
      return [{ model: data.model, amounts: { ...NOTHING, calls: 1, ...billed(data.usage, data.cost) } }];
    case 'CompactionAttemptFailed':
      return billedForCompaction(data, around.summarizerModel ?? around.model);
    case 'CompactionDoubleRan':
      // The provider's own compaction is counted where its answer told of it.
      if (data.applied) return [];
      return billedForCompaction(data, around.summarizerModel ?? around.model);
    case 'ProviderContextEdited':
      return billedForCompaction(data.compaction ?? {}, around.model);
    case 'CompactionCompleted': {
      const saved = { saved_tokens: data.countedBefore - data.countedAfter };
      return [
        { model: around.model, amounts: { ...NOTHING, completed: 1, ...saved } },
        ...billedForCompaction(data, data.summarizer.model ?? around.model),
      ];
    }
    default: {
      const outcome = outcomeOf(type);
      return outcome ? [{ model: around.model, amounts: { ...NOTHING, [outcome]: 1 } }] : [];
    }
  }
};

const billed = (usage: Usage, cost: Cost | undefined) => ({
  input_tokens: usage.inputTokens,
  cache_read_tokens: usage.cacheReadTokens,
  cache_write_tokens: usage.cacheWriteTokens,
  output_tokens: usage.outputTokens,
  ...priceOf(usage, cost),
});

const billedForCompaction = (
  { usage, cost }: { readonly usage?: Usage; readonly cost?: Cost },
  model: string | null,
): readonly Share[] => {
  if (!usage) return [];
  const price = priceOf(usage, cost);
  const amounts = {
    ...NOTHING,
    compaction_input_tokens: usage.inputTokens,
    compaction_cache_read_tokens: usage.cacheReadTokens,
    compaction_cache_write_tokens: usage.cacheWriteTokens,
    compaction_output_tokens: usage.outputTokens,
    compaction_cost_nano_usd: price.cost_nano_usd,
    compaction_unpriced_tokens: price.unpriced_tokens,
  };
  return [{ model, amounts }];
};
