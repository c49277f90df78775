import type { TenantId } from '@app/kernel';

export const USAGE_GROUPS = ['day', 'model', 'profile'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];
export type UsageQuery = {
  readonly tenant: TenantId;
  /** Days in UTC, such as `2026-11-21`; both inclusive. */
  readonly from?: string;
  readonly to?: string;
  readonly by: UsageGroup;
};

/** Tokens that were billed. */
export type BilledTokens = {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
};

/** US dollars, by the prices in force when each bill came. */
export type CostTotal = {
  /** In billionths; `null` where nothing of what was billed has a price. */
  readonly nanoUsd: number | null;
  /** Tokens that were billed and have no price: they are not in it. */
  readonly unpricedTokens: number;
};

/** What models were asked, what compactions cost, and what they saved. */
export type Usage = {
  /** Answers of models that agents reported. */
  readonly calls: number;
  readonly tokens: BilledTokens;
  readonly cost: CostTotal;
  readonly compactions: {
    /** Failed and superfluous attempts included. */
    readonly tokens: BilledTokens;
    readonly cost: CostTotal;
    /** Occupancy before minus occupancy after, of those that completed; a revert takes nothing back. */
    readonly savedTokens: number;
    readonly completed: number;
    readonly failed: number;
    readonly skipped: number;
    readonly cancelled: number;
    readonly reverted: number;
  };
};
export type UsageTotals = {
  readonly total: Usage;
  /** By day in their order, otherwise by name: at most 1,000. */
  readonly groups: readonly (Usage & { readonly key: string })[];
};
