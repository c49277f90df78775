import { type JsonObject, ownMember } from '@app/kernel';
import { numberOr, objectsIn, textOr } from '../../values/wire-values.js';
import { invalid } from '../failures/refusal.js';
import type { OpenAiModel } from '../models.js';
import { decryptWith } from '../responses/encrypted.js';
import type { ResponseStore } from '../responses/store.js';
import {
  nameRefusals,
  type Refusals,
  samplingRefusals,
  tooLong,
  toolRefusals,
  unknownParameters,
} from './refusals.js';

const PARAMETERS = [
  ...['background', 'context_management', 'conversation', 'include', 'input', 'instructions'],
  ...['max_output_tokens', 'max_tool_calls', 'metadata', 'model', 'moderation', 'parallel_tool_calls'],
  ...['previous_response_id', 'prompt', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention'],
  ...['reasoning', 'safety_identifier', 'service_tier', 'store', 'stream', 'stream_options', 'temperature'],
  ...['text', 'tool_choice', 'tools', 'top_logprobs', 'top_p', 'truncation', 'user'],
  'client_metadata', // Undocumented; Codex sends it with each request.
];
const OUTPUT_MIN = 16;
const CALL_ID_MAX = 64;

/** Yields violations in a request's parameters that the Responses API rejects. */
export function* parameterRefusals(body: JsonObject, model: OpenAiModel): Refusals {
  yield* unknownParameters('', body, PARAMETERS);
  if (body.input == null && body.previous_response_id == null && body.prompt == null)
    yield invalid(
      'One of "input" or "previous_response_id" or \'prompt\' or \'conversation\' must be provided.',
      'input',
      'missing_required_parameter',
    );
  if (body.previous_response_id != null && body.conversation != null)
    yield invalid(
      "Mutually exclusive parameters: 'previous_response_id' and 'conversation'. Ensure you are only providing one of: 'previous_response_id' or 'conversation'.",
      null,
      'mutually_exclusive_parameters',
    );
  const max = numberOr(body.max_output_tokens, OUTPUT_MIN);
  if (max < OUTPUT_MIN)
    yield invalid(
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${OUTPUT_MIN}, but got ${max} instead.`,
      'max_output_tokens',
      'integer_below_min_value',
    );
  if (max > model.outputMax)
    yield invalid(
      `Invalid 'max_output_tokens': integer above maximum value. Expected a value <= ${model.outputMax}, but got ${max} instead.`,
      'max_output_tokens',
      'integer_above_max_value',
    );
  yield* samplingRefusals(body, model);
  // Other than Chat Completions, the API accepts an empty list: OpenAI's Agents SDK sends one for an agent without tools, and Codex
  // one with the choice `auto`.
  yield* toolRefusals(body, (tool) => tool, ['none', 'auto']);
}

/**
 * Yields faults of an input's items, including stored ones.
 * @param secret the server's encryption key; without one encrypted items are accepted.
 */
export function* itemRefusals(
  given: readonly JsonObject[],
  all: readonly JsonObject[],
  store: ResponseStore,
  secret: string | undefined,
): Refusals {
  for (const [at, item] of given.entries()) yield* oneItem(item, `input[${at}]`, secret);
  const trigger = given.findIndex(({ type }) => type === 'compaction_trigger');
  if (trigger >= 0 && trigger < given.length - 1)
    yield invalid("Invalid input: 'compaction_trigger' must be the last item.", `input[${trigger}]`);
  yield* pairRefusals(all);
  yield* reasoningRefusals(all, store);
}

const PREFIXES: Readonly<Record<string, string>> = { message: 'msg', function_call: 'fc', reasoning: 'rs' };
const TYPES = [
  ...['message', 'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output'],
  ...['reasoning', 'compaction', 'compaction_trigger', 'item_reference', 'web_search_call'],
  ...['file_search_call', 'computer_call', 'computer_call_output', 'code_interpreter_call', 'mcp_call'],
  ...['image_generation_call', 'local_shell_call', 'local_shell_call_output', 'mcp_list_tools'],
  ...['shell_call', 'shell_call_output', 'apply_patch_call', 'apply_patch_call_output', 'program'],
  ...['tool_search_call', 'tool_search_output', 'additional_tools', 'program_output'],
];

function* oneItem(item: JsonObject, where: string, secret: string | undefined): Refusals {
  const type = textOr(item.type, 'message');
  if (!TYPES.includes(type))
    yield invalid(
      `Invalid value: '${type}'. Supported values are: ${TYPES.join(', ')}.`,
      where,
      'invalid_value',
    );
  const prefix = ownMember(PREFIXES, type);
  if (prefix !== undefined && typeof item.id === 'string' && !item.id.startsWith(prefix))
    yield invalid(
      `Invalid '${where}.id': '${item.id}'. Expected an ID that begins with '${prefix}'.`,
      `${where}.id`,
      'invalid_value',
    );
  if (type === 'message') yield* messageItem(item, where);
  if (type === 'function_call') {
    yield* nameRefusals(`${where}.name`, item.name);
    if (typeof item.arguments !== 'string')
      yield invalid(`Missing required parameter: '${where}.arguments'.`, where, 'missing_required_parameter');
  }
  if (type === 'custom_tool_call') {
    yield* nameRefusals(`${where}.name`, item.name);
    if (typeof item.input !== 'string')
      yield invalid(`Missing required parameter: '${where}.input'.`, where, 'missing_required_parameter');
  }
  if (textOr(item.call_id, '').length > CALL_ID_MAX)
    yield tooLong(`${where}.call_id`, textOr(item.call_id, ''), CALL_ID_MAX);
  if (isOutput(type) && typeof item.output !== 'string' && !Array.isArray(item.output))
    yield invalid(`Missing required parameter: '${where}.output'.`, where, 'missing_required_parameter');
  if (isOutput(type))
    yield* partRefusals(`${where}.output`, item.output, ['input_text', 'input_image', 'input_file']);
  const kind = type === 'reasoning' || type === 'compaction' ? type : undefined;
  const isToCheck = kind && (type === 'compaction' || item.encrypted_content != null);
  if (isToCheck && secret !== undefined && decryptWith(secret, kind, item.encrypted_content) === undefined)
    yield invalid(
      `The encrypted content ${textOr(item.encrypted_content, '').slice(0, 12)}... could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
      null,
      'invalid_encrypted_content',
    );
}

function* messageItem({ role, content }: JsonObject, where: string): Refusals {
  if (!['user', 'assistant', 'system', 'developer'].includes(String(role)))
    yield invalid(
      `Invalid value: '${role}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`,
      `${where}.role`,
      'invalid_value',
    );
  if (content == null)
    yield invalid(
      `Missing required parameter: '${where}.content'.`,
      `${where}.content`,
      'missing_required_parameter',
    );
  const types =
    role === 'assistant'
      ? ['output_text', 'refusal']
      : ['input_text', 'input_image', 'input_file', 'input_audio'];
  yield* partRefusals(`${where}.content`, content, types);
}

function* partRefusals(where: string, content: JsonObject[string], types: readonly string[]): Refusals {
  for (const [at, part] of objectsIn(content).entries()) {
    if (!types.includes(String(part.type)))
      yield invalid(
        `Invalid value: '${part.type}'. Supported values are: ${types.map((type) => `'${type}'`).join(', ')}.`,
        `${where}[${at}]`,
        'invalid_value',
      );
    const url = part.image_url;
    if (url != null && !/^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,)/.test(textOr(url, '')))
      yield invalid('Invalid image URL.', `${where}[${at}].image_url`, 'invalid_image_url');
    if (part.type === 'input_file' && ![part.file_data, part.file_url, part.file_id].some(isGiven))
      yield invalid(
        `Missing required parameter: '${where}[${at}].file_id'.`,
        where,
        'missing_required_parameter',
      );
  }
}
const isGiven = (value: JsonObject[string]): boolean => typeof value === 'string' && value !== '';

const isOutput = (type: JsonObject[string]): boolean =>
  type === 'function_call_output' || type === 'custom_tool_call_output';
const isCall = (type: JsonObject[string]): boolean => type === 'function_call' || type === 'custom_tool_call';

/** Every call has an output after it, and every output a call. */
function* pairRefusals(items: readonly JsonObject[]): Refusals {
  const called = new Set<string>();
  const answered = new Set(items.filter(({ type }) => isOutput(type)).map(({ call_id }) => String(call_id)));
  for (const { type, call_id: id } of items) {
    if (isCall(type)) called.add(String(id));
    if (isOutput(type) && !called.has(String(id)))
      yield invalid(`No tool call found for function call output with call_id ${id}.`, 'input');
  }
  for (const id of called)
    if (!answered.has(id)) yield invalid(`No tool output found for function call ${id}.`, 'input');
}

/** Items referenced by id must include the reasoning that led to them, and vice versa. */
function* reasoningRefusals(items: readonly JsonObject[], store: ResponseStore): Refusals {
  const ids = items.map(({ id }) => id);
  for (const [at, { id, type, encrypted_content: encrypted }] of items.entries()) {
    if (typeof id !== 'string') continue;
    const led = store.reasoningBefore(id);
    if (led !== undefined && !ids.slice(0, at).includes(led))
      yield invalid(
        `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: '${led}'.`,
        'input',
      );
    if (type !== 'reasoning') continue;
    if (encrypted == null && !store.holds(id))
      yield {
        ...invalid(
          `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
          'input',
        ),
        status: 404,
      };
    const follower = store.itemAfter(id);
    const next = items[at + 1];
    const isOther = !next || next.role === 'user' || (next.id !== undefined && next.id !== follower);
    if (follower !== undefined && isOther)
      yield invalid(
        `Item '${id}' of type 'reasoning' was provided without its required following item.`,
        'input',
      );
  }
}
