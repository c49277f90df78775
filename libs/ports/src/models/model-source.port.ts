import type { Evidence } from '@app/domain';

/** What a provider's endpoint says of one of its models; what it does not say is absent. */
export type ReportedModel = {
  readonly id: string;
  readonly vendor: string;
  readonly window?: number;
  readonly outputMax?: number;
  readonly lifecycle: 'active' | 'deprecated' | 'retired';
  readonly evidence: Evidence;
};

/** A provider that tells of its models. It knows no prices. */
export interface ModelSource {
  /** @throws {AppError} `models-unavailable` where it does not answer, or does not take the key. */
  models(signal: AbortSignal): Promise<readonly ReportedModel[]>;
}
