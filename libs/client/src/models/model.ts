/** Prices of one token, in billionths of a US dollar: a dollar for a million tokens is 1,000. */
export type Rates = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** Of tokens that are written to stay for an hour. */
  readonly cacheWrite1h?: number;
};
/** What something cost, by the prices in force then. What has no price is named, and counts as nothing. */
export type Cost = {
  /** Billionths of a US dollar, of all that has a price; missing where nothing has. */
  readonly nanoUsd?: number;
  /** That it was computed by. */
  readonly prices: readonly {
    readonly model: string;
    readonly rates: Rates;
    readonly source: string;
    readonly asOf: string;
  }[];
  readonly unpriced?: readonly {
    readonly model: string;
    readonly reason: 'unknown-model' | 'no-price' | 'no-cache-price' | 'other-seller';
    readonly tokens: number;
  }[];
};
