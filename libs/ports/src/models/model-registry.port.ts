import type { ModelCatalog } from '@app/domain';
import type { TenantId } from '@app/kernel';

/**
 * The known models: windows, limits, tokenizers, prices. Look-ups in a catalog are pure: `findModel`, `requireModel`,
 * `tokenizerOf`, `pricesAt` and `costOf`.
 */
export interface ModelRegistry {
  /** Returns the models for a tenant: those of the installation with the tenant's overrides. */
  catalogFor(tenant: TenantId): Promise<ModelCatalog>;
}
