import { AppError, Tokens } from '@app/kernel';
import type { TenantLimits } from './limits.js';

/** The most that the operator lets any tenant have: limits are changed by admins of tenants, ceilings by the operator alone. */
export type LimitCeilings = TenantLimits;

/** @throws {AppError} `invalid-settings` if a limit is above the operator's ceiling. */
export const refuseAboveCeilings = (limits: Partial<TenantLimits>, ceilings: LimitCeilings): void => {
  for (const name of NAMES) {
    const given = limits[name];
    if (given === undefined || given <= ceilings[name]) continue;
    throw new AppError(
      'invalid-settings',
      `${name} is above the operator's ceiling: give at most ${ceilings[name]}`,
    );
  }
};

/** Returns the effective limits: values above a lowered ceiling are reduced to it. */
export const withinCeilings = (limits: TenantLimits, ceilings: LimitCeilings): TenantLimits => ({
  requestsPerSecond: Math.min(limits.requestsPerSecond, ceilings.requestsPerSecond),
  requestsPerMinute: Math.min(limits.requestsPerMinute, ceilings.requestsPerMinute),
  tokensPerMinute: Tokens(Math.min(limits.tokensPerMinute, ceilings.tokensPerMinute)),
  concurrentCompactions: Math.min(limits.concurrentCompactions, ceilings.concurrentCompactions),
});

const NAMES = ['requestsPerSecond', 'requestsPerMinute', 'tokensPerMinute', 'concurrentCompactions'] as const;
