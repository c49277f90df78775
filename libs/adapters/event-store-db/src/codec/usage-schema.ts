import { z } from 'zod';

const tokens = z.int().min(0);

/** What a provider billed, wherever it is recorded. */
export const usage = z.object({
  inputTokens: tokens,
  cacheReadTokens: tokens,
  cacheWriteTokens: tokens,
  cacheWrite1hTokens: tokens.optional(),
  outputTokens: tokens,
});
