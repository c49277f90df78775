import { DEFAULT_TENANT_LIMITS } from '@app/domain';
import type { TenantId } from '@app/kernel';

/** Limits that have changed count from then on at the latest. */
const KNOWN_FOR_MS = 5_000;

export type ShareOptions = {
  /** How many compactions of a tenant may run at once. */
  readonly limitOf: (tenant: TenantId) => Promise<number>;
  /** Hears of a limit that could not be read; the one that was known before counts on. */
  readonly onError: (error: unknown) => void;
};

type Share = { limit: number; running: number; knownUntil: number };

/** How many compactions of each tenant run, and how many may. */
export class TenantShares {
  private readonly shares = new Map<TenantId, Share>();
  private total = 0;

  constructor(
    private readonly options: ShareOptions,
    /** Milliseconds, by a clock that does not jump. */
    private readonly now: () => number,
  ) {}

  get running(): number {
    return this.total;
  }

  hasRoom(tenant: TenantId): boolean {
    const { limit, running } = this.of(tenant);
    return running < limit;
  }

  began(tenant: TenantId): void {
    this.of(tenant).running += 1;
    this.total += 1;
  }

  ended(tenant: TenantId): void {
    this.of(tenant).running -= 1;
    this.total -= 1;
  }

  /** Looks up what the tenant may have now. */
  async learn(tenant: TenantId): Promise<void> {
    const { knownUntil } = this.of(tenant);
    if (this.now() < knownUntil) return;
    try {
      const limit = await this.options.limitOf(tenant);
      Object.assign(this.of(tenant), { limit, knownUntil: this.now() + KNOWN_FOR_MS });
    } catch (error) {
      this.options.onError(error);
    }
  }

  /** Of a tenant of which nothing waits or runs nothing has to be known. */
  forget(tenant: TenantId): void {
    if (this.of(tenant).running === 0) this.shares.delete(tenant);
  }

  private of(tenant: TenantId): Share {
    const { concurrentCompactions: limit } = DEFAULT_TENANT_LIMITS;
    const share = this.shares.get(tenant) ?? { limit, running: 0, knownUntil: Number.NEGATIVE_INFINITY };
    this.shares.set(tenant, share);
    return share;
  }
}
