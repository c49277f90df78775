import type { ComposedRequest } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import type { SummaryRequest } from '@app/ports';
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

const prefixBody = (request: SummaryRequest, parent: ComposedRequest['request']): ResponsesBody => {
  const given: JsonObject = JSON.parse(JSON.stringify(parent));
  const items = messagesOf(given).flatMap(itemsOf);
  const answered = new Set(items.filter(isOutput).map(({ call_id: id }) => id));
  const open = items
    .filter(({ type, call_id: id }) => type === 'function_call' && !answered.has(id))
    .map(({ call_id: id }) => ({ type: 'function_call_output', call_id: id ?? '', output: NO_RESULT_YET }));
  const task: JsonObject = { role: 'user', content: prefixPrompt(request) };
  const tools = Array.isArray(given.tools) ? given.tools.filter(isJsonObject).map(toolOf) : [];
  return asBody({ input: [...items, ...open, task], ...(tools.length > 0 && { tools }) });
};

/** The provider judges what the session holds: no client knows all kinds of it. */
const asBody = (body: JsonObject): ResponsesBody => JSON.parse(JSON.stringify(body));

const isOutput = ({ type }: JsonObject): boolean => type === 'function_call_output';

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
