import type { Evidence, ModelCatalog } from '@app/domain';
import type { TenantId } from '@app/kernel';

/**
 * The known models: windows, limits, tokenizers, prices. Look-ups in a catalog are pure: `findModel`, `requireModel`,
 * `tokenizerOf`, `pricesAt` and `costOf`.
 */
export interface ModelRegistry {
  /** Returns the models for a tenant: those of the installation with the tenant's overrides. */
  catalogFor(tenant: TenantId): Promise<ModelCatalog>;
}

/** A model as reported by a provider's endpoint; unreported properties are absent. */
export type ReportedModel = {
  readonly id: string;
  readonly vendor: string;
  readonly window?: number;
  readonly outputMax?: number;
  readonly lifecycle: 'active' | 'deprecated' | 'retired';
  readonly evidence: Evidence;
};

/** A provider's list of its models, without prices. */
export interface ModelSource {
  /** @throws {AppError} `models-unavailable` if the endpoint does not answer, or rejects the key. */
  models(signal: AbortSignal): Promise<readonly ReportedModel[]>;
}

/**
 * Counts tokens. Synchronous and linear in the length of any text: a megabyte of one character takes well under a
 * second. Never throws: special tokens are plain text.
 */
export interface TokenCounter {
  /** Vocabulary and version of the method, recorded beside every count. */
  readonly estimator: string;
  count(text: string): number;
  /**
   * Returns a counter with these texts counted in advance, large ones in worker threads, which tenants share in turn.
   * It keeps the counts for its own lifetime. Absent without threads.
   */
  ahead?(texts: readonly string[], tenant: string): Promise<TokenCounter>;
  /** Drops the texts whose counts are in memory. Absent where there are none. */
  forget?(): void;
}
