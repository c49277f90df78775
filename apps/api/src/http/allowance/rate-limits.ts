import type { TenantLimits } from '@app/domain';
import { AppError, type TenantId } from '@app/kernel';
import type { QueryBus } from '@nestjs/cqrs';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { KnownLimits } from './known-limits.js';

/** A rate limit after a request. */
type RateLimitState = {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the limit is full again. */
  readonly resetSeconds: number;
};
/** The result of counting a request: the limit that it exceeds is named by `exceeded`; `undefined` if it may proceed. */
type Verdict = { readonly state: RateLimitState; readonly exceeded?: string };

/** Names of limits in answers, and their window in seconds. */
const WINDOWS = {
  second: { name: 'requests per second', seconds: 1 },
  minute: { name: 'requests per minute', seconds: 60 },
  tokens: { name: 'appended tokens per minute', seconds: 60 },
} as const;
type Window = keyof typeof WINDOWS;

/** Counts requests and tokens of each tenant in the memory of this process: several processes each allow the full limit. */
export class RateLimits {
  private readonly limiters = new Map<string, RateLimiterMemory>();

  /** Counts one request and the tokens that it appends. Rejected requests count, too. */
  async take(tenant: TenantId, limits: TenantLimits, tokens: number): Promise<Verdict> {
    const second = await this.consume('second', tenant, limits.requestsPerSecond, 1);
    if (second.exceeded !== undefined) return second;
    const minute = await this.consume('minute', tenant, limits.requestsPerMinute, 1);
    if (minute.exceeded !== undefined || tokens === 0) return minute;
    const appended = await this.takeTokens(tenant, limits, tokens);
    return appended.exceeded === undefined ? minute : appended;
  }

  /** Counts tokens that a streamed request appends. */
  takeTokens(tenant: TenantId, limits: TenantLimits, tokens: number): Promise<Verdict> {
    return this.consume('tokens', tenant, limits.tokensPerMinute, tokens);
  }

  private async consume(window: Window, tenant: TenantId, limit: number, points: number): Promise<Verdict> {
    const limiter = this.limiterOf(window, limit);
    try {
      return { state: rateLimitState(limit, await limiter.consume(tenant, points)) };
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return { state: rateLimitState(limit, refused), exceeded: WINDOWS[window].name };
    }
  }

  /** Tenants with the same limit share a limiter, which counts each tenant separately. A changed limit starts at zero. */
  private limiterOf(window: Window, limit: number): RateLimiterMemory {
    const key = `${window}/${limit}`;
    const known = this.limiters.get(key);
    if (known) return known;
    const options = { keyPrefix: key, points: limit, duration: WINDOWS[window].seconds };
    const limiter = new RateLimiterMemory(options);
    this.limiters.set(key, limiter);
    return limiter;
  }
}

const rateLimitState = (
  limit: number,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): RateLimitState => ({
  limit,
  remaining: Math.max(0, remainingPoints),
  resetSeconds: Math.ceil(msBeforeNext / 1_000),
});

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

/** A rate limit of the tenant is exceeded. The answer has the rate limit headers and `Retry-After`. */
export class RateLimitExceeded extends AppError {
  readonly headers: Readonly<Record<string, number>>;

  /** @param more the remedy, and the part of the request that took effect. */
  constructor({ state }: Verdict, exceeded: string, more = `try again in ${state.resetSeconds} s`) {
    super('rate-limited', `the tenant's limit is ${state.limit} ${exceeded}: ${more}`);
    this.headers = headersOf(state, true);
  }
}
