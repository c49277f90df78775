import { modelConfidence, modelLifecycle } from '@app/adapters/models-file';
import { MODEL_ORIGINS } from '@app/domain';
import type { Role } from '@app/ports';
import { z } from 'zod';

/** Roles that may read models. */
export const READERS: readonly Role[] = ['agent', 'auditor', 'operator', 'admin'];

const evidence = z
  .object({
    source: z.string(),
    asOf: z.string(),
    confidence: modelConfidence,
    note: z.string().optional(),
  })
  .meta({ id: 'ModelEvidence' });
const rates = z
  .object({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number().optional(),
    cacheWrite: z.number().optional(),
    cacheWrite1h: z.number().optional(),
  })
  .meta({ id: 'ModelRates', description: 'US dollars per million tokens' });
const prices = z.array(
  z
    .object({
      from: z.string().optional().describe('The first day on which they hold'),
      rates,
      longPrompt: z.object({ above: z.int(), rates }).optional(),
      batchPercent: z.int().optional(),
      evidence,
    })
    .meta({ id: 'ModelPrice' }),
);

export const modelShape = z
  .object({
    id: z.string(),
    vendor: z.string(),
    aliases: z.array(z.string()),
    window: z.int(),
    inputMax: z.int().optional(),
    outputMax: z.int().optional(),
    tokenizer: z.string().optional(),
    lifecycle: modelLifecycle,
    prices: prices.describe('Oldest first; none where nobody knows them'),
    evidence,
    origin: z.enum(MODEL_ORIGINS).meta({ id: 'ModelOrigin' }).describe('Whose word on it was the last'),
  })
  .meta({ id: 'Model' });
