import type { Cost, Usage } from '@app/domain';

/** What a bill adds: dollars in billionths, and the tokens that have no price, all of them where nobody computed it. */
export const priceOf = (
  usage: Usage,
  cost: Cost | undefined,
): { readonly cost_nano_usd: number; readonly unpriced_tokens: number } => ({
  cost_nano_usd: cost?.nanoUsd ?? 0,
  unpriced_tokens: cost
    ? (cost.unpriced ?? []).reduce((sum, { tokens }) => sum + tokens, 0)
    : usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens,
});
