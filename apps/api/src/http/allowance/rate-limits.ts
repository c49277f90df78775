import type { TenantLimits } from '@app/domain';
import type { TenantId } from '@app/kernel';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** A rate limit after a request. */
export type RateLimitState = {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the limit is full again. */
  readonly resetSeconds: number;
};
/** The result of counting a request: the limit that it exceeds is named by `exceeded`; `undefined` if it may proceed. */
export type Verdict = { readonly state: RateLimitState; readonly exceeded?: string };

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
