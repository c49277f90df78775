import type { costTotal, Shape, usageTotals } from '@app/contract';
import type { TenantId } from '@app/kernel';
import { DESCRIPTION_GROUPS, type DescriptionFilter, type LabelGroup } from '../session-list.js';

/** Dimensions of usage totals, beside {@link LabelGroup}. */
export const USAGE_GROUPS = ['day', 'model', 'profile', 'tenant', 'session', ...DESCRIPTION_GROUPS] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number] | LabelGroup;
export type UsageSource = UsageTotals['groups'][number]['source'];
export type UsageQuery = DescriptionFilter & {
  /** `all` is for the operator alone. */
  readonly tenant: TenantId | 'all';
  /** Days in UTC, such as `2026-11-21`; both inclusive. */
  readonly from?: string;
  readonly to?: string;
  readonly by: UsageGroup;
};

export type CostTotal = Shape<typeof costTotal>;
export type UsageTotals = Shape<typeof usageTotals>;
