import { RetryLater } from '../entry/retry-later.js';
import { headersOf } from './allowance.js';
import type { Verdict } from './rate-limits.js';

/** A rate limit of the tenant is exceeded. The answer has the rate limit headers and `Retry-After`. */
export class RateLimitExceeded extends RetryLater {
  /** @param more the remedy, and the part of the request that took effect. */
  constructor({ state }: Verdict, exceeded: string, more = `try again in ${state.resetSeconds} s`) {
    super(
      'rate-limited',
      `the tenant's limit is ${state.limit} ${exceeded}: ${more}`,
      headersOf(state, true),
    );
  }
}
