import { type ModelCatalog, overlaid } from '@app/domain';
import type { TenantId } from '@app/kernel';
import type { ModelRegistry } from '@app/ports';
import type { TenantStore } from './tenant-store.js';

/** Milliseconds after which changes by other processes take effect at the latest. */
const KNOWN_FOR_MS = 5_000;
const TENANTS_MAX = 1_000;

type Known = { readonly catalog: Promise<ModelCatalog>; readonly until: number };

/** Installed models with the descriptions of each tenant, cached. */
export class TenantModels implements ModelRegistry {
  private readonly known = new Map<TenantId, Known>();

  constructor(
    private readonly tenants: TenantStore,
    readonly installed: ModelCatalog,
  ) {
    tenants.onRecorded((tenant) => this.known.delete(tenant));
  }

  catalogFor(tenant: TenantId): Promise<ModelCatalog> {
    const now = performance.now();
    const known = this.known.get(tenant);
    if (known && known.until > now) return known.catalog;
    const catalog = this.read(tenant);
    if (this.known.size >= TENANTS_MAX) this.known.clear();
    this.known.set(tenant, { catalog, until: now + KNOWN_FOR_MS });
    catalog.catch(() => this.known.delete(tenant));
    return catalog;
  }

  private async read(tenant: TenantId): Promise<ModelCatalog> {
    const { state } = await this.tenants.load(tenant);
    return state.status === 'registered' ? overlaid(this.installed, state.models, 'tenant') : this.installed;
  }
}
