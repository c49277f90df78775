import type { JsonObject } from '@app/kernel';
import type { Stop } from '../../replies/reply.js';

/** Constant, so that equal scripts give equal bytes. */
export const CREATED_AT = 1_795_000_000;

/** Returns a response in progress; its end adds status, output and usage. */
export const responseBase = (id: string, body: JsonObject): JsonObject => ({
  ...{ id, object: 'response', created_at: CREATED_AT, status: 'in_progress', background: false },
  ...{ error: null, incomplete_details: null, instructions: body.instructions ?? null },
  ...{ max_output_tokens: body.max_output_tokens ?? null, model: body.model, output: [] },
  ...{ parallel_tool_calls: body.parallel_tool_calls ?? true },
  ...{ previous_response_id: body.previous_response_id ?? null, reasoning: body.reasoning ?? null },
  ...{ service_tier: 'default', store: body.store ?? true, temperature: body.temperature ?? 1 },
  ...{ text: body.text ?? { format: { type: 'text' } }, tool_choice: body.tool_choice ?? 'auto' },
  ...{ tools: body.tools ?? [], top_p: body.top_p ?? 1, truncation: body.truncation ?? 'disabled' },
  ...{ usage: null, user: null, metadata: body.metadata ?? {} },
});

export const finished = (
  base: JsonObject,
  output: readonly JsonObject[],
  stop: Stop | undefined,
  usage: JsonObject,
): JsonObject & { readonly status: string } => {
  const reason = stop && (stop === 'refusal' ? 'content_filter' : 'max_output_tokens');
  return {
    ...{ ...base, output, usage, status: reason ? 'incomplete' : 'completed' },
    ...(reason ? { incomplete_details: { reason } } : { completed_at: CREATED_AT + 1 }),
  };
};
