import { Tokens } from '@app/kernel';
import type { Rates } from '../models/record.js';

/** The effect of a compaction on the provider's prompt cache, in billed tokens of requests. */
export type PromptCacheEffect = {
  /** Unchanged beginning of the request, tools and system prompt: still read from the cache. */
  readonly kept: Tokens;
  /** The rest of the first request after the compaction: written to the cache anew. */
  readonly rewritten: Tokens;
  /** Tokens that the compaction saves in each later request. */
  readonly savedPerRequest: Tokens;
  /**
   * Number of requests after which reading less has paid for writing anew, at least 1; `null` if prices are unknown or
   * nothing is saved.
   */
  readonly breakEvenRequests: number | null;
};

/**
 * Compares the requests after a compaction with the same requests without it, in which the provider reads
 * everything before the newest messages from its cache.
 *
 * @param kept billed tokens of the parts before the messages.
 * @param before billed tokens of the next request without the compaction; `after` with it.
 * @param rates prices of the model; absent if unknown.
 */
export const promptCacheEffect = (
  { kept, before, after }: { readonly kept: number; readonly before: number; readonly after: number },
  rates?: Rates,
): PromptCacheEffect => {
  const stable = Math.max(0, Math.min(Math.round(kept), after));
  const rewritten = after - stable;
  const saved = Math.max(0, before - after);
  return {
    kept: Tokens(stable),
    rewritten: Tokens(rewritten),
    savedPerRequest: Tokens(saved),
    breakEvenRequests: rates?.cacheRead && saved > 0 ? requestsToPay(rewritten, saved, rates) : null,
  };
};

/** A model without a price for cache writes writes at the price of input. */
const requestsToPay = (
  rewritten: number,
  saved: number,
  { input, cacheRead = input, cacheWrite = input }: Rates,
): number => Math.max(1, Math.ceil((rewritten * (cacheWrite - cacheRead)) / (saved * cacheRead)));
