import { modelConfidence, modelLifecycle } from '@app/contract';
import type { ModelOverride, PriceList, Rates, TokenizerFamily } from '@app/domain';
import { defined, isModelName, LIMITS, MODEL_NAME_RULE, NanoUsd, pick, Tokens } from '@app/kernel';
import { z } from 'zod';

const name = z.string().min(1).max(LIMITS.modelName.max).refine(isModelName, `give ${MODEL_NAME_RULE}`);
const tokens = z.int().min(1).max(LIMITS.window.max).transform(Tokens);
const day = z.iso.date();
/** As vendors publish them: US dollars for a million tokens, exact to a thousandth. */
const price = z
  .number()
  .min(0)
  .max(LIMITS.price.max)
  .refine((dollars) => Math.abs(dollars * 1_000 - Math.round(dollars * 1_000)) < 1e-6, {
    error: 'give US dollars for a million tokens, to the thousandth of a dollar at most',
  })
  .transform((dollars) => NanoUsd(Math.round(dollars * 1_000)));

const evidence = z
  .strictObject({
    source: z.string().min(1),
    asOf: day,
    confidence: modelConfidence,
    note: z.string().min(1).optional(),
  })
  .transform(({ note, ...rest }) => ({ ...rest, ...(note !== undefined && { note }) }))
  .meta({ id: 'GivenModelEvidence' });

const rates = z
  .strictObject({
    input: price,
    output: price,
    cacheRead: price.optional(),
    cacheWrite: price.optional(),
    cacheWrite1h: price.optional(),
  })
  .transform(
    ({ cacheRead, cacheWrite, cacheWrite1h, ...rest }): Rates => ({
      ...rest,
      ...defined({ cacheRead, cacheWrite, cacheWrite1h }),
    }),
  )
  .meta({ id: 'GivenModelRates', description: 'US dollars per million tokens' });

const priceList = z
  .strictObject({
    from: day.optional(),
    rates,
    longPrompt: z.strictObject({ above: tokens, rates }).optional(),
    batchPercent: z.int().min(1).max(100).optional(),
    evidence,
  })
  .transform(
    ({ from, longPrompt, batchPercent, ...rest }): PriceList => ({
      ...defined({ from, longPrompt, batchPercent }),
      ...rest,
    }),
  );

const facts = {
  vendor: name.optional(),
  aliases: z.array(name).optional(),
  window: tokens.optional(),
  inputMax: tokens.optional(),
  outputMax: tokens.optional(),
  tokenizer: name.optional(),
  lifecycle: modelLifecycle.optional(),
  prices: z
    .array(priceList)
    .refine(
      (lists) => lists.every((list, at) => at === 0 || (lists[at - 1]?.from ?? '') < (list.from ?? '')),
      {
        error: 'give price lists by the day from which they hold, oldest first',
      },
    )
    .optional(),
  evidence: evidence.optional(),
};

type Facts = z.output<z.ZodObject<typeof facts>>;

/** Returns the given fields only; absent fields are not overridden. */
const givenFields = (given: Facts): Omit<ModelOverride, 'id'> => ({
  ...pick(
    given,
    'vendor',
    'aliases',
    'window',
    'inputMax',
    'outputMax',
    'tokenizer',
    'lifecycle',
    'prices',
    'evidence',
  ),
});

/** Properties of one model. Prices are US dollars per million tokens. */
export const modelFacts = z.strictObject(facts).transform(givenFields);
const model = z
  .strictObject({ id: name, ...facts })
  .transform(({ id, ...given }): ModelOverride => ({ id, ...givenFields(given) }));

const tokenizer = z
  .strictObject({
    family: name,
    vocabulary: name.nullable(),
    perThousand: z.int().min(100).max(10_000),
    evidence,
  })
  .transform((family): TokenizerFamily => family);

const unique = (models: readonly { readonly id: string }[]): boolean =>
  new Set(models.map(({ id }) => id)).size === models.length;

/** A file of models: the shipped one, an overlay, an operator's. Prices are US dollars for a million tokens. */
export const modelsFile = z.strictObject({
  version: z.literal(1),
  currency: z.literal('USD per million tokens'),
  tokenizers: z.array(tokenizer).default([]),
  summarizers: z.array(z.strictObject({ vendor: name, model: name })).default([]),
  models: z.array(model).refine(unique, { error: 'name each model once' }),
});
