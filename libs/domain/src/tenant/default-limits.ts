import { Tokens } from '@app/kernel';
import type { TenantEventOf } from './events.js';
import type { TenantLimits } from './limits.js';

/** High enough for normal use, and a bound on the share of one tenant. */
export const DEFAULT_TENANT_LIMITS: TenantLimits = {
  requestsPerSecond: 5_000,
  requestsPerMinute: 200_000,
  tokensPerMinute: Tokens(100_000_000),
  concurrentCompactions: 2,
};

/** Returns the limits of an event, with defaults for limits that it does not contain. */
export const recordedLimits = ({ data: { limits } }: TenantEventOf<'LimitsChanged'>): TenantLimits => ({
  ...limits,
  concurrentCompactions: limits.concurrentCompactions ?? DEFAULT_TENANT_LIMITS.concurrentCompactions,
});
