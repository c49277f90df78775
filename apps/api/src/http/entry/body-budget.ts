import type { TenantId } from '@app/kernel';
import { RetryLater } from './retry-later.js';

/** Maximum bytes of request bodies in the memory of one process. */
export type BodyBounds = { readonly perTenant: number; readonly inAll: number };

const RETRY_AFTER_SECONDS = 1;
const MIB = 1_048_576;

/** Counts the bytes of request bodies in memory, for each tenant and in total. */
export class BodyBudget {
  private readonly held = new Map<TenantId, number>();
  private all = 0;

  constructor(private readonly bounds: BodyBounds) {}

  /** @throws {RetryLater} `rate-limited` above the tenant's limit, `overloaded` above the total; nothing is counted then. */
  take(tenant: TenantId, bytes: number): void {
    const { perTenant, inAll } = this.bounds;
    const own = (this.held.get(tenant) ?? 0) + bytes;
    const later = { 'retry-after': RETRY_AFTER_SECONDS };
    if (own > perTenant)
      throw new RetryLater(
        'rate-limited',
        `the bodies of the tenant's concurrent requests exceed ${perTenant / MIB} MiB: send fewer at a time`,
        later,
      );
    if (this.all + bytes > inAll)
      throw new RetryLater(
        'overloaded',
        `the bodies of all concurrent requests exceed ${inAll / MIB} MiB: retry after ${RETRY_AFTER_SECONDS} s`,
        later,
      );
    this.held.set(tenant, own);
    this.all += bytes;
  }

  /** Releases bytes that {@link take} has counted. */
  release(tenant: TenantId, bytes: number): void {
    const left = (this.held.get(tenant) ?? 0) - bytes;
    if (left > 0) this.held.set(tenant, left);
    else this.held.delete(tenant);
    this.all -= bytes;
  }
}
