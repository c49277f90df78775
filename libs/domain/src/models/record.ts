import type { NanoUsd, Tokens } from '@app/kernel';

/** Where figures come from, and how far they are believed. */
export type Evidence = {
  /** A page, a package, an endpoint, or whose word it is. */
  readonly source: string;
  /** The day on which it said so, such as `2026-11-21`. */
  readonly asOf: string;
  /** `high`: the vendor says so. `medium`: one source. `low`: sources disagree, or nobody has checked. */
  readonly confidence: 'high' | 'medium' | 'low';
  /** What is not certain about it. */
  readonly note?: string;
};

/** Prices of one token, in billionths of a US dollar: a dollar for a million tokens is 1,000. */
export type Rates = {
  readonly input: NanoUsd;
  readonly output: NanoUsd;
  /** Absent where the vendor has no such price, or nobody knows it: usage of that kind is then not priced. */
  readonly cacheRead?: NanoUsd;
  /** Of tokens that are kept for five minutes, or for as long as a vendor keeps them who offers no choice. */
  readonly cacheWrite?: NanoUsd;
  readonly cacheWrite1h?: NanoUsd;
};

/** What a model costs from one day on, until the next list. */
export type PriceList = {
  /** The first day, in UTC; absent for prices that held from the beginning. */
  readonly from?: string;
  readonly rates: Rates;
  /** Prompts of more tokens than this are billed by other rates, all of them. */
  readonly longPrompt?: { readonly above: Tokens; readonly rates: Rates };
  /** Of requests in a batch, as a share of the prices in hundredths; absent where there is no such discount, or nobody knows it. */
  readonly batchPercent?: number;
  readonly evidence: Evidence;
};

/** How texts become a model's tokens. A family is a vocabulary: what is learned of one of its models holds for the others. */
export type TokenizerFamily = {
  readonly family: string;
  /** The published vocabulary; `null` where there is none. */
  readonly vocabulary: string | null;
  /** Its tokens for a thousand of o200k_base, of ordinary text and code, before anything has been reported. */
  readonly perThousand: number;
  readonly evidence: Evidence;
};

/** What is known of a model. What is absent is not known. */
export type ModelRecord = {
  readonly id: string;
  readonly vendor: string;
  /** Other names for the very same model. */
  readonly aliases: readonly string[];
  /** Tokens of input and answer together. */
  readonly window: Tokens;
  /** Of input alone, where that is less than the window. */
  readonly inputMax?: Tokens;
  readonly outputMax?: Tokens;
  readonly tokenizer?: string;
  readonly lifecycle: 'active' | 'deprecated' | 'retired';
  /** Oldest first. */
  readonly prices: readonly PriceList[];
  readonly evidence: Evidence;
  /** Who said the last word on it: the shipped file, the provider's endpoint, the operator's file, the tenant. */
  readonly origin: ModelOrigin;
};
export const MODEL_ORIGINS = ['shipped', 'refreshed', 'operator', 'tenant'] as const;
export type ModelOrigin = (typeof MODEL_ORIGINS)[number];

/** What somebody else says of a model: only what differs, or all of a model that nobody knew. */
export type ModelOverride = Partial<Omit<ModelRecord, 'id' | 'origin'>> & { readonly id: string };
