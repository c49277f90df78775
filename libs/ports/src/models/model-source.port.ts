import type { Evidence } from '@app/domain';

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
