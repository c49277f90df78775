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

const nanoUsd = z.int().min(0);

/** Prices of one token, in billionths of a US dollar. */
export const rates = z.object({
  input: nanoUsd,
  output: nanoUsd,
  cacheRead: nanoUsd.optional(),
  cacheWrite: nanoUsd.optional(),
  cacheWrite1h: nanoUsd.optional(),
});

/** What usage costs, and by which prices; or why it has none. */
export const cost = z.object({
  nanoUsd: nanoUsd.optional(),
  prices: z.array(z.object({ model: z.string(), rates, source: z.string(), asOf: z.string() })),
  unpriced: z
    .array(
      z.object({
        model: z.string(),
        reason: z.enum(['unknown-model', 'no-price', 'no-cache-price', 'other-seller']),
        tokens,
      }),
    )
    .optional(),
});
