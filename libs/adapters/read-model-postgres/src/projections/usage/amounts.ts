import type { Cost, SessionEvent, Usage } from '@app/domain';
import type { IsoTime } from '@app/kernel';
import type { UsageSource } from '@app/ports';
import { AMOUNT_NAMES, type Amounts } from '../../rows/read-tables.js';
import { priceOf } from '../surroundings/price.js';
import { outcomeOf, type Surroundings } from '../surroundings.js';

export const NOTHING: Amounts = Object.fromEntries(AMOUNT_NAMES.map((name) => [name, 0n])) as Amounts; // Exactly its names.

export const addTo = (sum: { -readonly [Name in keyof Amounts]: bigint }, amounts: Amounts): void => {
  for (const name of AMOUNT_NAMES) if (amounts[name] !== 0n) sum[name] += amounts[name];
};

/**
 * The contribution of an event: its model (billed, or with smaller requests), its source, and its time if it differs
 * from the recording.
 */
export type Share = {
  readonly model: string | null;
  readonly source: UsageSource;
  readonly at?: IsoTime;
  readonly amounts: Amounts;
};

export const amountsIn = (event: SessionEvent, around: Surroundings): readonly Share[] => {
  const { type, data } = event;
  switch (type) {
    case 'RequestComposed': {
      const saved = data.countedSaved ?? 0;
      const smaller = { smaller_requests: saved > 0 ? 1n : 0n, counted_saved_tokens: BigInt(saved) };
      return [live(around.model, { ...NOTHING, requests: 1n, ...smaller })];
    }
    case 'UsageReported': {
      const amounts = { ...NOTHING, calls: 1n, ...billed(data.usage, data.cost) };
      if (data.source === 'reported') return [live(data.model, amounts)];
      return [imported(data.model, amounts, data.at)];
    }
    case 'CompactionAttemptFailed':
      return billedForCompaction(data, around.summarizerModel ?? around.model);
    case 'CompactionDuplicated': {
      const { cost_nano_usd, unpriced_tokens } = data.usage
        ? priceOf(data.usage, data.cost)
        : { cost_nano_usd: 0, unpriced_tokens: 0 };
      const twice = {
        double_runs: 1n,
        double_run_cost_nano_usd: BigInt(cost_nano_usd),
        double_run_unpriced_tokens: BigInt(unpriced_tokens),
      };
      // The provider's own compaction is billed with the reporting answer.
      const model = data.applied ? around.model : (around.summarizerModel ?? around.model);
      return [
        live(model, { ...NOTHING, ...twice }),
        ...(data.applied ? [] : billedForCompaction(data, model)),
      ];
    }
    case 'ProviderContextEdited':
      return billedForCompaction(data.compaction ?? {}, around.model);
    case 'CompactionCompleted': {
      const shares = [
        live(around.model, { ...NOTHING, completed: 1n }),
        ...billedForCompaction(data, data.summarizer.model ?? around.model),
      ];
      const { imported: by } = data;
      return by ? shares.map(({ model, amounts }) => imported(model, amounts, by.at)) : shares;
    }
    default: {
      const outcome = outcomeOf(type);
      return outcome ? [live(around.model, { ...NOTHING, [outcome]: 1n })] : [];
    }
  }
};

const live = (model: string | null, amounts: Amounts): Share => ({ model, source: 'live', amounts });
const imported = (model: string | null, amounts: Amounts, at: IsoTime | undefined): Share => ({
  model,
  source: 'import',
  amounts,
  ...(at !== undefined && { at }),
});

const billed = (usage: Usage, cost: Cost | undefined) => {
  const price = priceOf(usage, cost);
  return {
    input_tokens: BigInt(usage.inputTokens),
    cache_read_tokens: BigInt(usage.cacheReadTokens),
    cache_write_tokens: BigInt(usage.cacheWriteTokens),
    output_tokens: BigInt(usage.outputTokens),
    cost_nano_usd: BigInt(price.cost_nano_usd),
    unpriced_tokens: BigInt(price.unpriced_tokens),
  };
};

const billedForCompaction = (
  { usage, cost }: { readonly usage?: Usage; readonly cost?: Cost },
  model: string | null,
): readonly Share[] => {
  if (!usage) return [];
  const bill = billed(usage, cost);
  const amounts = {
    ...NOTHING,
    compaction_input_tokens: bill.input_tokens,
    compaction_cache_read_tokens: bill.cache_read_tokens,
    compaction_cache_write_tokens: bill.cache_write_tokens,
    compaction_output_tokens: bill.output_tokens,
    compaction_cost_nano_usd: bill.cost_nano_usd,
    compaction_unpriced_tokens: bill.unpriced_tokens,
  };
  return [live(model, amounts)];
};
