import type { TenantId } from '@app/kernel';
import type { QueryBus } from '@nestjs/cqrs';
import { KnownLimits } from './known-limits.js';
import { type RateLimitState, RateLimits, type Verdict } from './rate-limits.js';

/** Estimate for rate limits, before tokens are counted. */
const BYTES_PER_TOKEN = 4;

/** Rate limits of tenants in this process. */
export class Allowance {
  private readonly rates = new RateLimits();
  private readonly known: KnownLimits;

  constructor(queries: Pick<QueryBus, 'execute'>) {
    this.known = new KnownLimits(queries);
  }

  /** Counts one request and the bytes that it appends. */
  async takeRequest(tenant: TenantId, bytes: number): Promise<Verdict> {
    return this.rates.take(tenant, await this.known.of(tenant), tokensIn(bytes));
  }

  /** Counts bytes that a streamed request appends. */
  async takeBytes(tenant: TenantId, bytes: number): Promise<Verdict> {
    return this.rates.takeTokens(tenant, await this.known.of(tenant), tokensIn(bytes));
  }
}

const tokensIn = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** Returns the rate limit headers of an answer; with `Retry-After` if the limit is exceeded. */
export const headersOf = ({ limit, remaining, resetSeconds }: RateLimitState, isMet = false) => ({
  'ratelimit-limit': limit,
  'ratelimit-remaining': remaining,
  'ratelimit-reset': resetSeconds,
  ...(isMet && { 'retry-after': Math.max(1, resetSeconds) }),
});
