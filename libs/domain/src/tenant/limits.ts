import type { Tokens } from '@app/kernel';

/** How much of the service a tenant may take. */
export type TenantLimits = {
  readonly requestsPerSecond: number;
  readonly requestsPerMinute: number;
  /** Tokens of the messages that are appended, as this engine counts them. */
  readonly tokensPerMinute: Tokens;
  /** Concurrent compactions in one process; further ones wait. */
  readonly concurrentCompactions: number;
};
