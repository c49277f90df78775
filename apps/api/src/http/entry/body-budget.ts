import type { TenantId } from '@app/kernel';
import { RetryLater } from './retry-later.js';

/** Bytes of request bodies that one process holds at a time. */
export type BodyBounds = { readonly perTenant: number; readonly inAll: number };

const RETRY_AFTER_SECONDS = 1;
const MIB = 1_048_576;

/** Counts the bytes of the bodies that requests under way hold, for each tenant and in all. */
export class BodyBudget {
  private readonly held = new Map<TenantId, number>();
  private all = 0;

  constructor(private readonly bounds: BodyBounds) {}

  /** @throws {RetryLater} `rate-limited` for the tenant's share, `overloaded` for that of all; then nothing is taken. */
  take(tenant: TenantId, bytes: number): void {
    const { perTenant, inAll } = this.bounds;
    const own = (this.held.get(tenant) ?? 0) + bytes;
    const later = { 'retry-after': RETRY_AFTER_SECONDS };
    if (own > perTenant)
      throw new RetryLater(
        'rate-limited',
        `the bodies of the tenant's requests under way hold more than ${perTenant / MIB} MiB: send fewer at a time`,
        later,
      );
    if (this.all + bytes > inAll)
      throw new RetryLater(
        'overloaded',
        `the bodies of all requests under way hold more than ${inAll / MIB} MiB: send the request again later`,
        later,
      );
    this.held.set(tenant, own);
    this.all += bytes;
  }

  /** Gives back what was taken. */
  release(tenant: TenantId, bytes: number): void {
    const left = (this.held.get(tenant) ?? 0) - bytes;
    if (left > 0) this.held.set(tenant, left);
    else this.held.delete(tenant);
    this.all -= bytes;
  }
}
