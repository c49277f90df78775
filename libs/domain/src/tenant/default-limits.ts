import { Tokens } from '@app/kernel';
import type { TenantLimits } from './limits.js';

/** Generous: they keep one tenant from taking everything, and meet nobody who works. */
export const DEFAULT_TENANT_LIMITS: TenantLimits = {
  requestsPerSecond: 1_000,
  requestsPerMinute: 30_000,
  tokensPerMinute: Tokens(50_000_000),
};
