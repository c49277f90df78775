import type { FoundModel, ModelRecord, PriceList, Rates } from '@app/domain';

/** Prices in US dollars per million tokens, as vendors publish them. */
export type DollarRates = { readonly [Kind in keyof Rates]: number };
export type ModelView = Omit<ModelRecord, 'prices'> & {
  /** Oldest first. */
  readonly prices: readonly (Omit<PriceList, 'rates' | 'longPrompt'> & {
    readonly rates: DollarRates;
    readonly longPrompt?: { readonly above: number; readonly rates: DollarRates };
  })[];
};
/** A model found by a name. */
export type FoundModelView = ModelView & {
  readonly seller: FoundModel['seller'];
  /** Rules that resolved the name; empty for the model's ID or an alias. */
  readonly rules: readonly string[];
};

export const modelView = ({ prices, ...record }: ModelRecord): ModelView => ({
  ...record,
  prices: prices.map(({ rates, longPrompt, ...list }) => ({
    ...list,
    rates: dollars(rates),
    ...(longPrompt && { longPrompt: { above: longPrompt.above, rates: dollars(longPrompt.rates) } }),
  })),
});

/** One dollar per million tokens is a thousand nano-dollars per token. */
const dollars = ({ input, output, cacheRead, cacheWrite, cacheWrite1h }: Rates): DollarRates => ({
  input: input / 1_000,
  output: output / 1_000,
  ...(cacheRead !== undefined && { cacheRead: cacheRead / 1_000 }),
  ...(cacheWrite !== undefined && { cacheWrite: cacheWrite / 1_000 }),
  ...(cacheWrite1h !== undefined && { cacheWrite1h: cacheWrite1h / 1_000 }),
});
