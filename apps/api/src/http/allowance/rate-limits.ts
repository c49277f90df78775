import type { TenantLimits } from '@app/domain';
import type { TenantId } from '@app/kernel';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How a tenant stands to a limit after a request. */
export type Standing = {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the limit is whole again. */
  readonly resetSeconds: number;
};
/** The limit that a request has met; `undefined` where it may go on. */
export type Verdict = { readonly standing: Standing; readonly met?: string };

/** What a limit is called in an answer, and how many seconds it is for. */
const WINDOWS = {
  second: { name: 'requests per second', seconds: 1 },
  minute: { name: 'requests per minute', seconds: 60 },
  tokens: { name: 'appended tokens per minute', seconds: 60 },
} as const;
type Window = keyof typeof WINDOWS;

/** Counts what each tenant takes, in the memory of this process: with several, each lets through as much. */
export class RateLimits {
  private readonly limiters = new Map<string, RateLimiterMemory>();

  /** Counts one request, with the tokens that it appends. A request that is refused counts all the same. */
  async take(tenant: TenantId, limits: TenantLimits, tokens: number): Promise<Verdict> {
    const second = await this.consume('second', tenant, limits.requestsPerSecond, 1);
    if (second.met !== undefined) return second;
    const minute = await this.consume('minute', tenant, limits.requestsPerMinute, 1);
    if (minute.met !== undefined || tokens === 0) return minute;
    const appended = await this.takeTokens(tenant, limits, tokens);
    return appended.met === undefined ? minute : appended;
  }

  /** Counts tokens that a request appends as it goes on. */
  takeTokens(tenant: TenantId, limits: TenantLimits, tokens: number): Promise<Verdict> {
    return this.consume('tokens', tenant, limits.tokensPerMinute, tokens);
  }

  private async consume(window: Window, tenant: TenantId, limit: number, points: number): Promise<Verdict> {
    const limiter = this.limiterOf(window, limit);
    try {
      return { standing: standingOf(limit, await limiter.consume(tenant, points)) };
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return { standing: standingOf(limit, refused), met: WINDOWS[window].name };
    }
  }

  /** Tenants of the same limit share one: it counts them apart. A limit that has changed begins anew. */
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

const standingOf = (limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes): Standing => ({
  limit,
  remaining: Math.max(0, remainingPoints),
  resetSeconds: Math.ceil(msBeforeNext / 1_000),
});
