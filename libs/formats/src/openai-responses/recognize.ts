import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { listIn, stringIn } from '../drafts/members.js';
import { sidesOf } from '../exchanges/sides.js';
import type { Recognition } from '../format.js';

/**
 * Whether `value` is an item of OpenAI's Responses, a list of items, a request with them as its `input`, a response with
 * them as its `output`, a record of such an exchange, or a list of them.
 */
export const recognizeOpenAiResponses = (value: Json): Recognition => {
  const isKnown = Array.isArray(value)
    ? isItems(value) || value.some((element: Json) => exchangeOf(element) !== undefined)
    : isJsonObject(value) && (isTypedItem(value) || exchangeOf(value) !== undefined);
  return isKnown ? 'certain' : 'no';
};

/** The members of an exchange with the API that hold items, in their order. */
export const ITEM_MEMBERS = ['input', 'items', 'output'] as const;

/** A request and its response as one object, or one of them; `undefined` where `value` is neither. */
export const exchangeOf = (value: Json): JsonObject | undefined => {
  if (!isJsonObject(value)) return undefined;
  if (isResponse(value)) return value;
  const { request, response } = sidesOf(value);
  const isSentHere = stringIn(value, 'url')?.endsWith('/responses') === true;
  const asked = [value, request].find((side) => side && isExchange(side));
  const sent = asked ?? (isSentHere && request && 'input' in request ? request : undefined);
  const answered = response && isResponse(response) ? response : undefined;
  return sent || answered ? { ...sent, ...answered } : undefined;
};

const isExchange = (value: JsonObject): boolean =>
  isResponse(value) ||
  ITEM_MEMBERS.some((member) => isItems(listIn(value, member) ?? [])) ||
  (stringIn(value, 'model') !== undefined && isInput(value));

const isResponse = (value: JsonObject): boolean => value.object === 'response' && Array.isArray(value.output);

/**
 * Returns whether the input is a Responses request: messages, or a text beside members that no other API has. A text
 * alone may be an embeddings or speech request.
 */
const isInput = (request: JsonObject): boolean => {
  const { input, output } = request;
  // A record with its answer in another form belongs to another log.
  if (output !== undefined && !Array.isArray(output)) return false;
  if (typeof input === 'string')
    return OWN_MEMBERS.some((member) => Object.hasOwn(request, member)) && !('voice' in request);
  const list: readonly Json[] = Array.isArray(input) ? input : [];
  return (
    list.length > 0 &&
    list.every((item) => isJsonObject(item) && isPlainMessage(item) && ROLES.has(String(item.role)))
  );
};
const OWN_MEMBERS = [
  'instructions',
  'tools',
  'previous_response_id',
  'reasoning',
  'max_output_tokens',
  'text',
];
const ROLES = new Set(['user', 'assistant', 'system', 'developer']);

/** At least one item is specific to the protocol; others are messages or unknown. */
const isItems = (list: readonly Json[]): boolean => {
  const objects = list.filter(isJsonObject);
  return (
    objects.some(isTypedItem) &&
    objects.filter((item) => isItem(item) || isPlainMessage(item)).length * 2 > objects.length
  );
};

const isItem = ({ type }: JsonObject): boolean => typeof type === 'string' && type !== 'message';

/** A message as the API takes it without a type; other protocols have such ones too. */
const isPlainMessage = ({ type, role, content }: JsonObject): boolean =>
  (type === undefined || type === 'message') && typeof role === 'string' && content !== undefined;

const isTypedItem = (item: JsonObject): boolean => {
  const type = stringIn(item, 'type') ?? 'message';
  if (type === 'message') return hasPart(item);
  if (type === 'reasoning') return Array.isArray(item.summary) || typeof item.encrypted_content === 'string';
  if (type === 'compaction' || type === 'compaction_summary')
    return typeof item.encrypted_content === 'string';
  if (CALLS.has(type)) return stringIn(item, 'call_id') !== undefined;
  return SERVER_CALLS.has(type) && stringIn(item, 'id') !== undefined;
};

/** Chat completions have such parts as well, but with a type on no message: there a role alone decides nothing. */
const hasPart = (item: JsonObject): boolean =>
  item.type === 'message' &&
  typeof item.role === 'string' &&
  (listIn(item, 'content') ?? []).some((part) => isJsonObject(part) && PARTS.has(String(part.type)));

const PARTS = new Set(['input_text', 'output_text', 'input_image', 'input_file', 'refusal', 'summary_text']);
const CALLS = new Set([
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'computer_call',
  'computer_call_output',
  'local_shell_call',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
]);
const SERVER_CALLS = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'local_shell_call_output',
  'item_reference',
]);
