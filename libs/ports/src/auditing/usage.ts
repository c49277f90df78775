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

/** What models were asked, what compactions cost, and what they saved. No money: prices are not known here. */
export type Usage = {
  /** Answers of models that agents reported. */
  readonly calls: number;
  readonly tokens: BilledTokens;
  readonly compactions: {
    /** Failed and superfluous attempts included. */
    readonly tokens: BilledTokens;
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
