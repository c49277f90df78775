import type { Tokens } from '@app/kernel';

/** Limits of a tenant's use of the service. */
export type TenantLimits = {
  readonly requestsPerSecond: number;
  readonly requestsPerMinute: number;
  /** Tokens of the messages that are appended, as this engine counts them. */
  readonly tokensPerMinute: Tokens;
  /** Concurrent compactions in one process; further ones wait. */
  readonly concurrentCompactions: number;
};
