import type { LogPosition, TenantId } from '@app/kernel';

export type Queued = { readonly tenant: TenantId; readonly position: LogPosition };

/** What waits, by tenant: tenants take turns, and what one of them has waiting is taken in the order of the log. */
export class FairQueue<Item extends Queued> {
  /** No line is empty; whose turn is next stands first. */
  private readonly lines = new Map<TenantId, Item[]>();

  private count = 0;

  /** How many wait. */
  get size(): number {
    return this.count;
  }

  /** Of how many tenants. */
  get tenants(): number {
    return this.lines.size;
  }

  add(item: Item): void {
    this.count += 1;
    const line = this.lines.get(item.tenant);
    if (!line) this.lines.set(item.tenant, [item]);
    else line.splice(line.findLastIndex(({ position }) => position <= item.position) + 1, 0, item);
  }

  /** The next of the first tenant in turn that `hasRoom`; its next turn comes after those of all others. */
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

  /** Everything that waits, which it then does no more. */
  clear(): readonly Item[] {
    const items = [...this.lines.values()].flat();
    this.lines.clear();
    this.count = 0;
    return items;
  }
}
