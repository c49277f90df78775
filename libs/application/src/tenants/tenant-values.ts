import type { TenantState } from '@app/domain';
import { BoundedMap, type TenantId } from '@app/kernel';
import type { TenantStore } from './tenant-store.js';

/** Milliseconds after which changes by other processes take effect at the latest. */
const KNOWN_FOR_MS = 5_000;
const TENANTS_MAX = 1_000;

type Known<Value> = { readonly value: Promise<Value>; readonly until: number };

/** A value derived from the state of each tenant, cached. */
export class TenantValues<Value> {
  private readonly known = new BoundedMap<TenantId, Known<Value>>(TENANTS_MAX);

  constructor(
    private readonly tenants: TenantStore,
    private readonly derive: (state: TenantState) => Value,
  ) {
    tenants.onRecorded((tenant) => this.known.delete(tenant));
  }

  get(tenant: TenantId): Promise<Value> {
    const now = performance.now();
    const known = this.known.get(tenant);
    if (known && known.until > now) return known.value;
    const value = this.tenants.load(tenant).then(({ state }) => this.derive(state));
    this.known.set(tenant, { value, until: now + KNOWN_FOR_MS });
    value.catch(() => this.known.delete(tenant));
    return value;
  }
}
