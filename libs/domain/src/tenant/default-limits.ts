import { Tokens } from '@app/kernel';
import type { LimitsChanged } from './events.js';
import type { TenantLimits } from './limits.js';

/** Generous: they keep one tenant from taking everything, and meet nobody who works. */
export const DEFAULT_TENANT_LIMITS: TenantLimits = {
  requestsPerSecond: 5_000,
  requestsPerMinute: 200_000,
  tokensPerMinute: Tokens(100_000_000),
  concurrentCompactions: 2,
};

/** The limits that an event has recorded, with the defaults of those that there were none of at the time. */
export const recordedLimits = ({ data: { limits } }: LimitsChanged): TenantLimits => ({
  ...limits,
  concurrentCompactions: limits.concurrentCompactions ?? DEFAULT_TENANT_LIMITS.concurrentCompactions,
});
