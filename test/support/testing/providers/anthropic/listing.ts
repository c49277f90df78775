import type { JsonObject } from '@app/kernel';
import type { AnthropicModel } from './models.js';

const supported = (is: boolean): JsonObject => ({ supported: is });

/** Returns a model as `GET /v1/models/{id}` does. */
export const modelInfo = (model: AnthropicModel): JsonObject => ({
  type: 'model',
  id: model.id,
  display_name: model.id,
  created_at: '2026-01-01T00:00:00Z',
  max_input_tokens: model.window,
  max_tokens: model.outputMax,
  lifecycle: 'active',
  line: null,
  deprecated_at: null,
  retires_at: null,
  capabilities: {
    ...{ batch: supported(true), citations: supported(true), code_execution: supported(true) },
    ...{ image_input: supported(true), pdf_input: supported(true), structured_outputs: supported(true) },
    context_management: {
      supported: true,
      clear_tool_uses_20250919: supported(true),
      clear_thinking_20251015: supported(true),
      compact_20260112: supported(model.compactsAtThreshold),
    },
    thinking: {
      supported: true,
      types: {
        enabled: supported(model.thinking.includes('enabled')),
        adaptive: supported(model.thinking.includes('adaptive')),
        disabled: supported(model.thinking.includes('disabled')),
        between_tools: supported(false),
      },
    },
  },
});

export const modelList = (models: readonly AnthropicModel[]): JsonObject => ({
  data: models.map(modelInfo),
  has_more: false,
  first_id: models[0]?.id ?? null,
  last_id: models.at(-1)?.id ?? null,
});
