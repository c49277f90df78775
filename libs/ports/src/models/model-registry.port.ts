import type { ModelCatalog } from '@app/domain';
import type { TenantId } from '@app/kernel';

/**
 * What is known of models: windows, limits, tokenizers, prices. Look-ups in a catalog are pure: `findModel`,
 * `requireModel`, `tokenizerOf`, `pricesAt` and `costOf`.
 */
export interface ModelRegistry {
  /** The models as a tenant sees them: those of this installation, with the tenant's own word on top. */
  catalogFor(tenant: TenantId): Promise<ModelCatalog>;
}
