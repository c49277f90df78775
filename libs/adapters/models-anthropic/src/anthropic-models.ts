import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { AppError } from '@app/kernel';
import type { ModelSource, ReportedModel } from '@app/ports';

export type AnthropicOptions = {
  readonly apiKey: string;
  /** Default: Anthropic's API. */
  readonly baseUrl?: string;
};

/** Timeout of the request for one page. */
const TIMEOUT_MS = 30_000;

/** Anthropic's `GET /v1/models`: windows, limits of answers and lifecycles of every model that the key may use. */
export const anthropicModels = ({ apiKey, baseUrl }: AnthropicOptions): ModelSource => {
  const client = new Anthropic({
    apiKey,
    maxRetries: 0,
    timeout: TIMEOUT_MS,
    openTelemetry: false,
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
  });
  return {
    models: async (signal) => {
      const asOf = new Date().toISOString().slice(0, '2026-11-21'.length);
      const found: ReportedModel[] = [];
      try {
        for await (const model of client.models.list({ limit: 100 }, { signal })) {
          const { id, max_input_tokens: window, max_tokens: outputMax, lifecycle } = model;
          found.push({
            id,
            vendor: 'anthropic',
            lifecycle,
            ...(window !== null && window > 0 && { window }),
            ...(outputMax !== null && outputMax > 0 && { outputMax }),
            evidence: { source: 'GET /v1/models of Anthropic', asOf, confidence: 'high' },
          });
        }
      } catch (cause) {
        throw unavailable(cause);
      }
      return found;
    },
  };
};

/** The error may quote the request: only its status is reported. */
const unavailable = (cause: unknown): AppError => {
  const status = cause instanceof APIError && cause.status !== undefined ? ` (${cause.status})` : '';
  return new AppError('models-unavailable', `Anthropic's endpoint does not tell its models${status}`);
};
