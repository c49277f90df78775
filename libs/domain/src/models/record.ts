import type { NanoUsd, NonEmpty, Tokens } from '@app/kernel';

/** Source and reliability of figures. */
export type Evidence = {
  /** A page, a package, an endpoint, or whose word it is. */
  readonly source: string;
  /** The date of the source, such as `2026-11-21`. */
  readonly asOf: string;
  /** `high`: stated by the vendor. `medium`: one source. `low`: contradictory sources or unchecked. */
  readonly confidence: 'high' | 'medium' | 'low';
  /** The uncertain part. */
  readonly note?: string;
};

/** Prices of one token, in billionths of a US dollar: a dollar for a million tokens is 1,000. */
export type Rates = {
  readonly input: NanoUsd;
  readonly output: NanoUsd;
  /** Absent if the vendor has no such price or it is unknown: such usage has no price. */
  readonly cacheRead?: NanoUsd;
  /** Price of tokens cached for five minutes, or for the only lifetime that the vendor offers. */
  readonly cacheWrite?: NanoUsd;
  readonly cacheWrite1h?: NanoUsd;
};

/** The prices of a model from one day until the next list. */
export type PriceList = {
  /** The first day, in UTC; absent for prices that held from the beginning. */
  readonly from?: string;
  readonly rates: Rates;
  /** Prompts of more tokens than this are billed by other rates, all of them. */
  readonly longPrompt?: { readonly above: Tokens; readonly rates: Rates };
  /** Discount for batch requests, in hundredths of the prices; absent without a discount or if unknown. */
  readonly batchPercent?: number;
  readonly evidence: Evidence;
};

/** The tokenization of a model. A family shares a vocabulary: calibrations of one model apply to the others. */
export type TokenizerFamily = {
  readonly family: string;
  /** The published vocabulary; `null` without one. */
  readonly vocabulary: string | null;
  /** Its tokens for a thousand of o200k_base, of ordinary text and code, before anything has been reported. */
  readonly perThousand: number;
  readonly evidence: Evidence;
};

/** The known properties of a model. Absent fields are unknown. */
export type ModelRecord = {
  readonly id: NonEmpty;
  readonly vendor: NonEmpty;
  /** Other names for the very same model. */
  readonly aliases: readonly NonEmpty[];
  /** Tokens of input and answer together. */
  readonly window: Tokens;
  /** Input limit, if smaller than the window. */
  readonly inputMax?: Tokens;
  readonly outputMax?: Tokens;
  readonly tokenizer?: NonEmpty;
  readonly lifecycle: 'active' | 'deprecated' | 'retired';
  /** Oldest first. */
  readonly prices: readonly PriceList[];
  readonly evidence: Evidence;
  /** The last source: the shipped file, the provider's endpoint, the operator's file, the tenant. */
  readonly origin: ModelOrigin;
};
export const MODEL_ORIGINS = ['shipped', 'refreshed', 'operator', 'tenant'] as const;
export type ModelOrigin = (typeof MODEL_ORIGINS)[number];

/** Changed properties of a known model, or all properties of an unknown one. */
export type ModelOverride = Partial<Omit<ModelRecord, 'id' | 'origin'>> & { readonly id: NonEmpty };
