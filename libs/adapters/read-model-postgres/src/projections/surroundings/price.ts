import type { Cost, Usage } from '@app/domain';

/** Returns the cost in billionths of a dollar, and the unpriced tokens: all of them without a computed cost. */
export const priceOf = (
  usage: Usage,
  cost: Cost | undefined,
): { readonly cost_nano_usd: number; readonly unpriced_tokens: number } => ({
  cost_nano_usd: cost?.nanoUsd ?? 0,
  unpriced_tokens: cost
    ? (cost.unpriced ?? []).reduce((sum, { tokens }) => sum + tokens, 0)
    : usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens,
});
