import { type BilledTokens, type IsoTime, NanoUsd, sumTokens, type Tokens } from '@app/kernel';
import { findModel, type ModelCatalog, pricesAt } from './catalog.js';
import type { Evidence, Rates } from './record.js';

/** The rates of a cost, for recomputation. */
type AppliedPrice = {
  /** As the catalog names it. */
  readonly model: string;
  readonly rates: Rates;
  readonly source: Evidence['source'];
  readonly asOf: Evidence['asOf'];
};

/** Why usage has no price here. */
type UnpricedReason =
  /** The model is unknown. */
  | 'unknown-model'
  /** The model is known, and its price is not, or was not yet. */
  | 'no-price'
  /** Some tokens were of a kind without a price: cache reads or cache writes. */
  | 'no-cache-price'
  /** It was sold by another seller than its vendor, with unknown prices. */
  | 'other-seller';

/** The cost of usage. Unpriced usage is listed and not part of the sum. */
export type Cost = {
  /** The sum of all priced usage; absent without any. */
  readonly nanoUsd?: NanoUsd;
  readonly prices: readonly AppliedPrice[];
  /** Absent where everything has a price. */
  readonly unpriced?: readonly Unpriced[];
};
type Unpriced = {
  readonly model: string;
  readonly reason: UnpricedReason;
  /** Tokens of all kinds. */
  readonly tokens: Tokens;
};

/** The usage of one call of a model. */
export type Bill = { readonly model: string; readonly usage: Usage };

/** Returns the cost of one call of `model` with `usage`, by the prices in force at `at`. */
export const costOf = (catalog: ModelCatalog, model: string, usage: Usage, at: IsoTime): Cost => {
  const prompt = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const tokens = sumTokens([prompt, usage.outputTokens]);
  const without = (reason: UnpricedReason): Cost => ({ prices: [], unpriced: [{ model, reason, tokens }] });
  const found = findModel(catalog, model);
  if (!found) return without('unknown-model');
  if (found.seller !== 'vendor') return without('other-seller');
  const list = pricesAt(found.record, at);
  if (!list) return without('no-price');
  const rates = list.longPrompt && prompt > list.longPrompt.above ? list.longPrompt.rates : list.rates;
  const nanoUsd = priced(usage, rates);
  if (nanoUsd === undefined) return without('no-cache-price');
  const { source, asOf } = list.evidence;
  return { nanoUsd, prices: [{ model: found.record.id, rates, source, asOf }] };
};

/** Returns `undefined` if a kind of billed tokens has no rate. */
const priced = (usage: Usage, rates: Rates): NanoUsd | undefined => {
  const hour = Math.min(usage.cacheWrite1hTokens ?? 0, usage.cacheWriteTokens);
  const parts: readonly (readonly [tokens: number, rate: number | undefined])[] = [
    [usage.inputTokens, rates.input],
    [usage.outputTokens, rates.output],
    [usage.cacheReadTokens, rates.cacheRead],
    [usage.cacheWriteTokens - hour, rates.cacheWrite],
    [hour, rates.cacheWrite1h],
  ];
  let sum = 0;
  for (const [tokens, rate] of parts) {
    if (tokens <= 0) continue;
    if (rate === undefined) return undefined;
    sum += tokens * rate;
  }
  return NanoUsd(sum);
};

/** Returns the sum of costs; `undefined` for an empty list. */
export const sumCosts = (costs: readonly (Cost | undefined)[]): Cost | undefined => {
  const known = costs.filter((cost) => cost !== undefined);
  if (known.length < 2) return known[0];
  const amounts = known.flatMap(({ nanoUsd }) => (nanoUsd === undefined ? [] : [nanoUsd]));
  const unpriced = merged(known.flatMap((cost) => cost.unpriced ?? []));
  return {
    ...(amounts.length > 0 && { nanoUsd: NanoUsd(amounts.reduce<number>((sum, one) => sum + one, 0)) }),
    prices: unique(known.flatMap(({ prices }) => prices)),
    ...(unpriced.length > 0 && { unpriced }),
  };
};

/** One for each model and reason. */
const merged = (all: readonly Unpriced[]): readonly Unpriced[] => {
  const sums = new Map<string, Unpriced>();
  for (const one of all) {
    const key = JSON.stringify([one.model, one.reason]);
    sums.set(key, { ...one, tokens: sumTokens([sums.get(key)?.tokens ?? 0, one.tokens]) });
  }
  return [...sums.values()];
};

const unique = <One>(all: readonly One[]): readonly One[] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
];

/** Returns an amount such as `0.0123 USD`, with four decimals, and more for smaller amounts. */
export const formatUsd = (nanoUsd: number): string => {
  const dollars = nanoUsd / 1e9;
  return `${dollars === 0 || dollars >= 0.0001 ? dollars.toFixed(4) : dollars.toFixed(9)} USD`;
};

/** The billed tokens of one request. */
export type Usage = {
  readonly inputTokens: BilledTokens;
  readonly cacheReadTokens: BilledTokens;
  readonly cacheWriteTokens: BilledTokens;
  /** The part of `cacheWriteTokens` with a lifetime of one hour, at a higher price. Absent for 0. */
  readonly cacheWrite1hTokens?: BilledTokens;
  readonly outputTokens: BilledTokens;
};
