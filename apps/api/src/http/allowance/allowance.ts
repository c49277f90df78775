import type { TenantId } from '@app/kernel';
import type { QueryBus } from '@nestjs/cqrs';
import { KnownLimits } from './known-limits.js';
import { RateLimits, type Standing, type Verdict } from './rate-limits.js';

/** What a token is taken to be before anybody has counted it. */
const BYTES_PER_TOKEN = 4;

/** How much of the service each tenant may still take of this process. */
export class Allowance {
  private readonly rates = new RateLimits();
  private readonly known: KnownLimits;

  constructor(queries: Pick<QueryBus, 'execute'>) {
    this.known = new KnownLimits(queries);
  }

  /** Counts one request, with the bytes that it appends. */
  async takeRequest(tenant: TenantId, bytes: number): Promise<Verdict> {
    return this.rates.take(tenant, await this.known.of(tenant), tokensIn(bytes));
  }

  /** Counts bytes that a request appends as it goes on. */
  async takeBytes(tenant: TenantId, bytes: number): Promise<Verdict> {
    return this.rates.takeTokens(tenant, await this.known.of(tenant), tokensIn(bytes));
  }
}

const tokensIn = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** Headers by which an answer tells how its tenant stands. */
export const headersOf = ({ limit, remaining, resetSeconds }: Standing, isMet = false) => ({
  'ratelimit-limit': limit,
  'ratelimit-remaining': remaining,
  'ratelimit-reset': resetSeconds,
  ...(isMet && { 'retry-after': Math.max(1, resetSeconds) }),
});
