import { z } from 'zod';
import { id, text, tokens } from '../shapes.js';
import { rates } from '../usage-schema.js';

const evidence = z.object({
  source: text,
  asOf: text,
  confidence: z.enum(['high', 'medium', 'low']),
  note: text.optional(),
});
const priceList = z.object({
  from: text.optional(),
  rates,
  longPrompt: z.object({ above: tokens, rates }).optional(),
  batchPercent: z.int().optional(),
  evidence,
});

/** A tenant's overrides of a model; absent fields are not overridden. */
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
