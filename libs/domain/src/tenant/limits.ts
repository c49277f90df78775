import { AppError, type Positive, Tokens } from '@app/kernel';

/** Limits of a tenant's use of the service. */
export type TenantLimits = {
  readonly requestsPerSecond: Positive;
  readonly requestsPerMinute: Positive;
  /** Tokens of the messages that are appended, as this engine counts them. */
  readonly tokensPerMinute: Tokens;
  /** Concurrent compactions in one process; further ones wait. */
  readonly concurrentCompactions: Positive;
};

/** High enough for normal use, and a bound on the share of one tenant. */
export const DEFAULT_TENANT_LIMITS: TenantLimits = {
  requestsPerSecond: 5_000,
  requestsPerMinute: 200_000,
  tokensPerMinute: Tokens(100_000_000),
  concurrentCompactions: 2,
};

/** Limits as an event contains them. */
export type RecordedLimits = Omit<TenantLimits, 'concurrentCompactions'> &
  Partial<Pick<TenantLimits, 'concurrentCompactions'>>;

/** Returns the limits of an event, with defaults for limits that it does not contain. */
export const recordedLimits = ({
  data: { limits },
}: {
  readonly data: { readonly limits: RecordedLimits };
}): TenantLimits => ({
  ...limits,
  concurrentCompactions: limits.concurrentCompactions ?? DEFAULT_TENANT_LIMITS.concurrentCompactions,
});

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
