import { MODEL_ORIGINS } from '@app/domain';
import type { NanoUsd } from '@app/kernel';
import { z } from 'zod';
import { branded, tokens } from './scalars.js';

export const usage = z
  .object({
    inputTokens: tokens.describe('Neither read from nor written to the cache'),
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
    cacheWrite1hTokens: tokens
      .exactOptional()
      .describe('Part of `cacheWriteTokens` with a lifetime of one hour'),
    outputTokens: tokens,
  })
  .meta({
    id: 'Usage',
    description: 'Tokens that the provider billed for one request. The counts do not overlap',
  });

const nanoUsd = branded<NanoUsd>(z.int());

const rates = z
  .object({
    input: nanoUsd,
    output: nanoUsd,
    cacheRead: nanoUsd
      .exactOptional()
      .describe('Absent if the vendor has no such price or it is unknown: such usage has no price'),
    cacheWrite: nanoUsd
      .exactOptional()
      .describe('Price of tokens cached for five minutes, or for the only lifetime that the vendor offers'),
    cacheWrite1h: nanoUsd.exactOptional().describe('Price of tokens cached for an hour'),
  })
  .meta({
    id: 'TokenRates',
    description: 'Prices of one token, in billionths of a US dollar: a dollar for a million tokens is 1,000',
  });

export const cost = z
  .object({
    nanoUsd: nanoUsd.exactOptional().describe('The sum of all priced usage; absent without any'),
    prices: z
      .array(
        z.object({
          model: z.string().describe('Name in the catalog'),
          rates,
          source: z.string(),
          asOf: z.string(),
        }),
      )
      .describe('The prices of the sum'),
    unpriced: z
      .array(
        z.object({
          model: z.string(),
          reason: z.enum(['unknown-model', 'no-price', 'no-cache-price', 'other-seller']),
          tokens: tokens.describe('Tokens of all kinds'),
        }),
      )
      .exactOptional()
      .describe('Usage without a price; absent without any'),
  })
  .meta({ id: 'Cost', description: 'The cost of usage. Unpriced usage is listed and not part of the sum' });

export const modelConfidence = z.enum(['high', 'medium', 'low']).meta({
  id: 'ModelConfidence',
  description:
    '`high`: stated by the vendor. `medium`: one source. `low`: contradictory or unchecked sources',
});
export const modelLifecycle = z.enum(['active', 'deprecated', 'retired']).meta({ id: 'ModelLifecycle' });

const evidence = z
  .object({
    source: z.string().describe('A page, a package, an endpoint, or the person who stated it'),
    asOf: z.string().describe('The date of the source, such as `2026-11-21`'),
    confidence: modelConfidence,
    note: z.string().exactOptional().describe('The uncertain part'),
  })
  .meta({ id: 'ModelEvidence', description: 'Source and reliability of a record’s figures' });

const dollarRates = z
  .object({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number().exactOptional(),
    cacheWrite: z.number().exactOptional(),
    cacheWrite1h: z.number().exactOptional(),
  })
  .meta({ id: 'ModelRates', description: 'US dollars per million tokens, as vendors publish them' });

const priceList = z
  .object({
    from: z.string().exactOptional().describe('The first day, in UTC; absent for the model’s first prices'),
    rates: dollarRates,
    longPrompt: z
      .object({ above: z.int(), rates: dollarRates })
      .exactOptional()
      .describe('Other rates for prompts above a number of tokens; they apply to the whole prompt'),
    batchPercent: z
      .int()
      .exactOptional()
      .describe(
        'Discount for batch requests, in hundredths of the prices; absent without a discount or if unknown',
      ),
    evidence,
  })
  .meta({ id: 'ModelPrice', description: 'The prices of a model from one day until the next list' });

export const model = z
  .object({
    id: z.string(),
    vendor: z.string(),
    aliases: z.array(z.string()),
    window: z.int(),
    inputMax: z.int().exactOptional(),
    outputMax: z.int().exactOptional(),
    tokenizer: z.string().exactOptional(),
    lifecycle: modelLifecycle,
    prices: z.array(priceList).describe('Oldest first'),
    evidence,
    origin: z.enum(MODEL_ORIGINS).meta({ id: 'ModelOrigin' }).describe('Source of the newest change'),
  })
  .meta({ id: 'Model', description: 'A model; absent members are unknown' });

export const foundModel = model
  .extend({
    seller: z.enum(['vendor', 'bedrock', 'vertex', 'router']),
    rules: z.array(z.string()).describe('The rules that resolved the name; empty for an id or alias'),
  })
  .meta({ id: 'FoundModel', description: 'A model with the seller and the rules that resolved its name' });
