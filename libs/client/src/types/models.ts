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

/** Where figures come from, and how far they are believed. */
export type Evidence = {
  readonly source: string;
  readonly asOf: string;
  readonly confidence: 'high' | 'medium' | 'low';
  readonly note?: string;
};
/** Prices in US dollars for a million tokens. */
export type DollarRates = { readonly [Kind in keyof Rates]: number };
export type PriceList = {
  /** The first day on which they hold; missing for those that held from the beginning. */
  readonly from?: string;
  readonly rates: DollarRates;
  /** Prompts of more tokens are billed by other rates. */
  readonly longPrompt?: { readonly above: number; readonly rates: DollarRates };
  /** Of requests in a batch, as a share of the prices in hundredths. */
  readonly batchPercent?: number;
  readonly evidence: Evidence;
};
/** What is known of a model. What is missing is not known. */
export type Model = {
  readonly id: string;
  readonly vendor: string;
  readonly aliases: readonly string[];
  readonly window: number;
  readonly inputMax?: number;
  readonly outputMax?: number;
  readonly tokenizer?: string;
  readonly lifecycle: 'active' | 'deprecated' | 'retired';
  /** Oldest first. */
  readonly prices: readonly PriceList[];
  readonly evidence: Evidence;
  /** Whose word on it was the last. */
  readonly origin: 'shipped' | 'refreshed' | 'operator' | 'tenant';
};
/** A model as it was found under a name. */
export type FoundModel = Model & {
  readonly seller: 'vendor' | 'bedrock' | 'vertex' | 'router';
  /** By which the name was read. */
  readonly rules: readonly string[];
};
/** A tenant's own word on a model: what it leaves out is as the installation has it. */
export type ModelFacts = Partial<Omit<Model, 'id' | 'origin'>>;
