import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import type { RepeatedRequest, SummaryRequest } from '@app/ports';
import { prefixPrompt, transcriptPrompt } from '@app/prompts';
import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { messagesOf, NO_RESULT_YET } from '../chat/chat-body.js';

/** What a call says; which model is to read it, and how long it may answer, is said elsewhere. */
export type ResponsesBody = Pick<ResponseCreateParamsStreaming, 'instructions' | 'input' | 'tools'>;

/** The session's own request with the task behind it, where it is given; else a request of its own. */
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

/** A request of Responses as it is; one in the chat form as what it is there. */
const repeated = (parent: RepeatedRequest): JsonObject & { readonly items: readonly JsonObject[] } => {
  const given: JsonObject = JSON.parse(JSON.stringify(parent));
  const { input, instructions } = given;
  const tools = Array.isArray(given.tools) ? given.tools.filter(isJsonObject) : [];
  if (!Array.isArray(input))
    return {
      items: messagesOf(given).flatMap(itemsOf),
      ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    };
  return {
    items: input.filter(isJsonObject),
    ...(instructions !== undefined && { instructions }),
    ...(tools.length > 0 && { tools }),
  };
};

/** The provider judges what the session holds: no client knows all kinds of it. */
const asBody = (body: JsonObject): ResponsesBody => JSON.parse(JSON.stringify(body));

const isCall = (type: Json | undefined): boolean => type === 'function_call' || type === 'custom_tool_call';
const isOutput = ({ type }: JsonObject): boolean => typeof type === 'string' && type.endsWith('_call_output');

/** A message of the chat form as the items that it is in Responses. */
const itemsOf = ({ role, content, tool_calls: calls, tool_call_id: callId }: JsonObject): JsonObject[] => {
  if (role === 'tool')
    return [{ type: 'function_call_output', call_id: callId ?? '', output: content ?? '' }];
  const said: JsonObject[] =
    content === null || content === undefined || content === ''
      ? []
      : [{ role: role ?? 'user', content: contentOf(content) }];
  const called = Array.isArray(calls) ? calls.filter(isJsonObject).map(callOf) : [];
  return [...said, ...called];
};

const callOf = ({ id, function: called }: JsonObject): JsonObject => ({
  type: 'function_call',
  call_id: id ?? '',
  ...(isJsonObject(called) && { name: called.name ?? '', arguments: called.arguments ?? '{}' }),
});

const contentOf = (content: Json): Json =>
  Array.isArray(content) ? content.map((part) => (isJsonObject(part) ? partOf(part) : part)) : content;

const partOf = (part: JsonObject): JsonObject => {
  if (part.type === 'text') return { ...part, type: 'input_text' };
  const { image_url: image } = part;
  return isJsonObject(image) ? { type: 'input_image', image_url: image.url ?? '', detail: 'auto' } : part;
};

const toolOf = ({ function: tool, ...rest }: JsonObject): JsonObject =>
  isJsonObject(tool) ? { ...rest, strict: false, ...tool } : rest;
