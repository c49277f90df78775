import { DEFAULT_TENANT_LIMITS } from '@app/domain';
import type { LogPosition, TenantId } from '@app/kernel';

/** Milliseconds after which a changed limit takes effect at the latest. */
const KNOWN_FOR_MS = 5_000;

export type ShareOptions = {
  /** Returns the maximum of concurrent compactions of a tenant. */
  readonly limitOf: (tenant: TenantId) => Promise<number>;
  /** Called when a limit cannot be read; the previous one stays in force. */
  readonly onError: (error: unknown) => void;
};

type Share = { limit: number; running: number; knownUntil: number };

/** Counts running compactions of each tenant against its limit. */
export class TenantShares {
  private readonly shares = new Map<TenantId, Share>();
  private total = 0;

  constructor(
    private readonly options: ShareOptions,
    /** Monotonic clock in milliseconds. */
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

  /** Refreshes the limit of a tenant. */
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

  /** Forgets a tenant without waiting or running compactions. */
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

type Queued = { readonly tenant: TenantId; readonly position: LogPosition };

/** A queue in which tenants take turns; items of one tenant keep their order. */
export class FairQueue<Item extends Queued> {
  /** Non-empty queues in the order of turns. */
  private readonly lines = new Map<TenantId, Item[]>();

  private count = 0;

  /** Number of waiting items. */
  get size(): number {
    return this.count;
  }

  /** Number of tenants with waiting items. */
  get tenants(): number {
    return this.lines.size;
  }

  add(item: Item): void {
    this.count += 1;
    const line = this.lines.get(item.tenant);
    if (!line) this.lines.set(item.tenant, [item]);
    else line.splice(line.findLastIndex(({ position }) => position <= item.position) + 1, 0, item);
  }

  /** Takes the next item of the first tenant that `hasRoom`, and moves the tenant to the end. */
  take(hasRoom: (tenant: TenantId) => boolean): Item | undefined {
    for (const [tenant, line] of this.lines) {
      if (!hasRoom(tenant)) continue;
      const item = line.shift();
      this.count -= 1;
      this.lines.delete(tenant);
      if (line.length > 0) this.lines.set(tenant, line);
      return item;
    }
    return undefined;
  }

  has(tenant: TenantId): boolean {
    return this.lines.has(tenant);
  }

  /** Removes and returns all items. */
  clear(): readonly Item[] {
    const items = [...this.lines.values()].flat();
    this.lines.clear();
    this.count = 0;
    return items;
  }
}
