import type { TenantId } from '@app/kernel';
import { DESCRIPTION_GROUPS, type DescriptionFilter, type LabelGroup } from '../session-list.js';

/** Dimensions of usage totals, beside {@link LabelGroup}. */
export const USAGE_GROUPS = ['day', 'model', 'profile', 'tenant', 'session', ...DESCRIPTION_GROUPS] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number] | LabelGroup;
/**
 * `live`: recorded as it happened, on the day of recording. `import`: from a transcript, on the day in the
 * transcript, else on the day of the import.
 */
export type UsageSource = 'live' | 'import';
export type UsageQuery = DescriptionFilter & {
  /** `all` is for the operator alone. */
  readonly tenant: TenantId | 'all';
  /** Days in UTC, such as `2026-11-21`; both inclusive. */
  readonly from?: string;
  readonly to?: string;
  readonly by: UsageGroup;
};

/** Tokens that were billed. */
type BilledTokens = {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
};

/** US dollars, by the prices in force at the time of each bill. */
export type CostTotal = {
  /** In billionths of a dollar; `null` if no usage has a price. */
  readonly nanoUsd: number | null;
  /** Tokens that were billed and have no price: they are not in it. */
  readonly unpricedTokens: number;
};

/** Usage of models, cost of compactions, and their savings. Sums are exact up to 2^53. */
type Usage = {
  /** Answers of models that agents reported. */
  readonly calls: number;
  readonly tokens: BilledTokens;
  readonly cost: CostTotal;
  readonly compactions: {
    /** Failed and superfluous attempts included. */
    readonly tokens: BilledTokens;
    readonly cost: CostTotal;
    /** Composed requests, and the number of them that compactions made smaller. */
    readonly requests: number;
    readonly smallerRequests: number;
    /** Counted tokens by which these were smaller, over all of them. */
    readonly countedSaved: number;
    /** Results beside another result, and their cost: a part of `cost`. */
    readonly doubleRuns: { readonly runs: number; readonly cost: CostTotal };
    readonly completed: number;
    readonly failed: number;
    readonly skipped: number;
    readonly cancelled: number;
    readonly reverted: number;
  };
};
export type UsageTotals = {
  /** Both sources together, and each of them. */
  readonly total: Usage;
  readonly live: Usage;
  readonly import: Usage;
  /**
   * One for each key and source: sessions and their metadata by cost and then by billed tokens, the largest first;
   * others by key. At most 1,000. The key is `null` for sessions without that metadata.
   */
  readonly groups: readonly (Usage & { readonly key: string | null; readonly source: UsageSource })[];
  /** Number of unlisted groups, which the sums include. */
  readonly omittedGroups: number;
};
