import { LIMITS } from '@app/kernel';
import { z } from 'zod';

export const tokens = z.int().min(0);
export const id = z.string().min(1);
export const text = z.string();
export const time = z.iso.datetime();
/** A count of one bill: a compaction of several calls has the sum of theirs. */
const billed = tokens.max(100 * LIMITS.usageTokens.max);

/** Billed usage. */
export const usage = z.object({
  inputTokens: billed,
  cacheReadTokens: billed,
  cacheWriteTokens: billed,
  cacheWrite1hTokens: billed.optional(),
  outputTokens: billed,
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

/** Cost of usage with its prices, or the reason for none. */
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

/** Usage and cost of a provider's calls, as far as they are known. */
export const bill = { usage: usage.optional(), cost: cost.optional() };

/** Fingerprints of data subjects. */
export const subjects = z.array(id);
export const erased = z.object({
  by: id,
  at: z.string(),
  erasure: id,
  scope: z.enum(['subject', 'session', 'tenant']),
});
/** The data subjects of content, and its erasure. */
export const ofSubjects = { subjects: subjects.optional(), erased: erased.optional() };
