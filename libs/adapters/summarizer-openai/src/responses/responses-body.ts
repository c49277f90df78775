import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import type { RepeatedRequest, SummaryRequest } from '@app/ports';
import { NO_RESULT_YET, prefixPrompt, transcriptPrompt } from '@app/prompts';
import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';

/** A request without model and answer limit. */
export type ResponsesBody = Pick<ResponseCreateParamsStreaming, 'instructions' | 'input' | 'tools'>;

/** Returns the session's own request followed by the task, if given; else a separate request. */
export const responsesBody = (request: SummaryRequest): ResponsesBody => {
  if (request.parent) return prefixBody(request, request.parent);
  const { system, user } = transcriptPrompt(request);
  return { instructions: system, input: [{ role: 'user', content: user }] };
};

const prefixBody = (request: SummaryRequest, parent: RepeatedRequest): ResponsesBody => {
  const { items, ...beside } = repeated(parent);
  const answered = new Set(items.filter(isOutput).map(({ call_id: id }) => id));
  const open = items
    .filter(({ type, call_id: id }) => isCall(type) && !answered.has(id))
    .map(({ type, call_id: id }) => ({
      type: `${String(type)}_output`,
      call_id: id ?? '',
      output: NO_RESULT_YET,
    }));
  const task: JsonObject = { role: 'user', content: prefixPrompt(request) };
  return asBody({ ...beside, input: [...items, ...open, task] });
};

/** The session's own request and nothing behind it. */
export const repeatedBody = (parent: RepeatedRequest): ResponsesBody => {
  const { items, ...beside } = repeated(parent);
  return asBody({ ...beside, input: items });
};

const repeated = (parent: RepeatedRequest): JsonObject & { readonly items: readonly JsonObject[] } => {
  const { input, instructions, tools }: JsonObject = JSON.parse(JSON.stringify(parent));
  return {
    items: Array.isArray(input) ? input.filter(isJsonObject) : [],
    ...(instructions !== undefined && { instructions }),
    ...(Array.isArray(tools) && { tools }),
  };
};

/** A cast: the provider validates the session's content, which the client's types do not cover. */
const asBody = (body: JsonObject): ResponsesBody => JSON.parse(JSON.stringify(body));

const isCall = (type: Json | undefined): boolean => type === 'function_call' || type === 'custom_tool_call';
const isOutput = ({ type }: JsonObject): boolean => typeof type === 'string' && type.endsWith('_call_output');
