import { z } from 'zod';
import { id, text, tokens } from '../shapes.js';

const evidence = z.object({
  source: text,
  asOf: text,
  confidence: z.enum(['high', 'medium', 'low']),
  note: text.optional(),
});
const nanoUsd = z.int().min(0);
/** Prices of one token in billionths of a US dollar. */
export const rates = z.object({
  input: nanoUsd,
  output: nanoUsd,
  cacheRead: nanoUsd.optional(),
  cacheWrite: nanoUsd.optional(),
  cacheWrite1h: nanoUsd.optional(),
});
const priceList = z.object({
  from: text.optional(),
  rates,
  longPrompt: z.object({ above: tokens, rates }).optional(),
  batchPercent: z.int().optional(),
  evidence,
});

/** What a tenant says of a model: only what it says. */
export const modelOverride = z.object({
  id,
  vendor: id.optional(),
  aliases: z.array(id).optional(),
  window: tokens.optional(),
  inputMax: tokens.optional(),
  outputMax: tokens.optional(),
  tokenizer: id.optional(),
  lifecycle: z.enum(['active', 'deprecated', 'retired']).optional(),
  prices: z.array(priceList).optional(),
  evidence: evidence.optional(),
});
