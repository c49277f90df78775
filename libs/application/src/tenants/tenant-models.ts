import { type ModelCatalog, overlaid } from '@app/domain';
import type { TenantId } from '@app/kernel';
import type { ModelRegistry } from '@app/ports';
import type { TenantStore } from './tenant-store.js';
import { TenantValues } from './tenant-values.js';

/** Installed models with the descriptions of each tenant, cached. */
export class TenantModels implements ModelRegistry {
  private readonly catalogs: TenantValues<ModelCatalog>;

  constructor(
    tenants: TenantStore,
    readonly installed: ModelCatalog,
  ) {
    this.catalogs = new TenantValues(tenants, (state) =>
      state.status === 'registered' ? overlaid(installed, state.models, 'tenant') : installed,
    );
  }

  catalogFor(tenant: TenantId): Promise<ModelCatalog> {
    return this.catalogs.get(tenant);
  }
}
