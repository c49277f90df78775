import type { LogPosition, TenantId } from '@app/kernel';

export type Queued = { readonly tenant: TenantId; readonly position: LogPosition };

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
