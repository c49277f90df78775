import type { Usage } from '@app/domain';
import { sumTokens, Tokens } from '@app/kernel';

type Billed = {
  readonly input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly output_tokens?: number | null;
};

/** Later events of a stream tell some of it again, and more exactly. */
export const usageOf = (billed: Billed | undefined, before: Usage | undefined): Usage => ({
  inputTokens: count(billed?.input_tokens, before?.inputTokens),
  cacheReadTokens: count(billed?.cache_read_input_tokens, before?.cacheReadTokens),
  cacheWriteTokens: count(billed?.cache_creation_input_tokens, before?.cacheWriteTokens),
  outputTokens: count(billed?.output_tokens, before?.outputTokens),
});

/** Tolerates invalid counts from a server. */
const count = (tokens: number | null | undefined, before: Tokens | undefined): Tokens =>
  Number.isSafeInteger(tokens) && Number(tokens) >= 0 ? Tokens(Number(tokens)) : (before ?? Tokens(0));

/** Several bills as one. */
export const addedUp = (bills: readonly Usage[]): Usage => ({
  inputTokens: sumTokens(bills.map(({ inputTokens }) => inputTokens)),
  cacheReadTokens: sumTokens(bills.map(({ cacheReadTokens }) => cacheReadTokens)),
  cacheWriteTokens: sumTokens(bills.map(({ cacheWriteTokens }) => cacheWriteTokens)),
  outputTokens: sumTokens(bills.map(({ outputTokens }) => outputTokens)),
});
