import { type JsonObject, ownMember } from '@app/kernel';
import { listOf, numberOr, objectOf, objectsIn, textOr } from '../../values/wire-values.js';
import { invalid } from '../failures/refusal.js';
import type { OpenAiModel } from '../models.js';
import {
  emptyList,
  nameRefusals,
  type Refusals,
  samplingRefusals,
  tooLong,
  toolRefusals,
  unknownParameters,
} from './refusals.js';

const PARAMETERS = [
  ...['messages', 'model', 'audio', 'frequency_penalty', 'function_call', 'functions', 'logit_bias'],
  ...['logprobs', 'max_completion_tokens', 'max_tokens', 'metadata', 'modalities', 'moderation', 'n'],
  ...['parallel_tool_calls', 'prediction', 'presence_penalty', 'prompt_cache_key', 'prompt_cache_options'],
  ...['prompt_cache_retention', 'reasoning_effort', 'response_format', 'safety_identifier', 'seed'],
  ...['service_tier', 'stop', 'store', 'stream', 'stream_options', 'temperature', 'tool_choice', 'tools'],
  ...['top_logprobs', 'top_p', 'user', 'verbosity', 'web_search_options'],
];
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  developer: ['name'],
  system: ['name'],
  user: ['name'],
  assistant: ['name', 'tool_calls', 'refusal', 'audio', 'function_call', 'annotations'],
  // LangChain sends the name of the tool, which the API accepts.
  tool: ['tool_call_id', 'name'],
  function: ['name'],
};
const CALL_ID_MAX = 40;

/** Yields violations that Chat Completions rejects. */
export function* chatRefusals(body: JsonObject, model: OpenAiModel): Refusals {
  for (const name of Object.keys(body))
    if (!PARAMETERS.includes(name)) yield invalid(`Unrecognized request argument supplied: ${name}`);
  if (!Array.isArray(body.messages))
    yield invalid("Missing required parameter: 'messages'.", 'messages', 'missing_required_parameter');
  yield* emptyList('messages', body.messages);
  yield* limitRefusals(body, model);
  yield* samplingRefusals(body, model);
  yield* emptyList('tools', body.tools);
  yield* toolRefusals(body, (tool) => objectOf(tool.function), ['none']);
  const messages = objectsIn(body.messages);
  for (const [at, message] of messages.entries()) {
    yield* messageRefusals(message, `messages[${at}]`);
    yield* answerRefusals(message, at, messages);
  }
}

function* limitRefusals(body: JsonObject, { reasons, outputMax }: OpenAiModel): Refusals {
  if (reasons && body.max_tokens != null)
    yield invalid(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      'unsupported_parameter',
    );
  const max = numberOr(body.max_completion_tokens ?? body.max_tokens, 1);
  if (max > outputMax)
    yield invalid(
      `max_tokens is too large: ${max}. This model supports at most ${outputMax} completion tokens, whereas you provided ${max}.`,
      'max_tokens',
      'invalid_value',
    );
  if (body.stream_options != null && body.stream !== true)
    yield invalid(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'stream_options',
    );
}

function* messageRefusals(message: JsonObject, where: string): Refusals {
  const role = String(message.role);
  const members = ownMember(MEMBERS, role);
  if (!members) {
    yield invalid(
      `Invalid value: '${role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`,
      `${where}.role`,
      'invalid_value',
    );
    return;
  }
  yield* unknownParameters(where, message, ['role', 'content', ...members]);
  const speaksOtherwise = [message.tool_calls, message.function_call, message.refusal].some(
    (member) => member != null,
  );
  const mayBeSilent = role === 'assistant' && speaksOtherwise;
  if (message.content == null && !mayBeSilent)
    yield invalid("Invalid value for 'content': expected a string, got null.", `${where}.content`);
  yield* emptyList(`${where}.content`, message.content);
  for (const [at, part] of objectsIn(message.content).entries())
    yield* partRefusals(part, role, `${where}.content[${at}]`);
  yield* emptyList(`${where}.tool_calls`, message.tool_calls);
  for (const [at, call] of objectsIn(message.tool_calls).entries())
    yield* callRefusals(call, `${where}.tool_calls[${at}]`);
  if (role === 'tool' && typeof message.tool_call_id !== 'string')
    yield invalid(
      `Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.`,
      where,
    );
}

function* partRefusals(part: JsonObject, role: string, where: string): Refusals {
  const types =
    role === 'user'
      ? ['text', 'image_url', 'input_audio', 'file']
      : role === 'assistant'
        ? ['text', 'refusal']
        : ['text'];
  if (!types.includes(String(part.type)))
    yield invalid(
      `Invalid value: '${part.type}'. Supported values are: ${types.map((type) => `'${type}'`).join(', ')}.`,
      where,
      'invalid_value',
    );
  const { url } = objectOf(part.image_url);
  if (
    part.type === 'image_url' &&
    !/^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,)/.test(String(url))
  )
    yield invalid('Invalid image URL.', `${where}.image_url`, 'invalid_image_url');
}

function* callRefusals(call: JsonObject, where: string): Refusals {
  yield* unknownParameters(where, call, ['id', 'type', 'function', 'custom']);
  const id = textOr(call.id, '');
  if (id === '')
    yield invalid(`Missing required parameter: '${where}.id'.`, `${where}.id`, 'missing_required_parameter');
  if (id.length > CALL_ID_MAX) yield tooLong(`${where}.id`, id, CALL_ID_MAX);
  if (call.type !== 'function') return;
  const called = objectOf(call.function);
  yield* nameRefusals(`${where}.function.name`, called.name);
  if (typeof called.arguments !== 'string')
    yield invalid(
      `Invalid type for '${where}.function.arguments': expected a string.`,
      where,
      'invalid_type',
    );
}

/** Every call is answered before other messages, and there are no other answers. */
function* answerRefusals(message: JsonObject, at: number, messages: readonly JsonObject[]): Refusals {
  if (message.role === 'tool') {
    const asked = messages.slice(0, at).findLast(({ role }) => role !== 'tool');
    if (!asked || listOf(asked.tool_calls).length === 0)
      yield invalid(
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        `messages.[${at}].role`,
      );
    else if (!callIdsOf(asked).includes(String(message.tool_call_id)))
      yield invalid(
        `Invalid parameter: 'tool_call_id' of '${message.tool_call_id}' not found in 'tool_calls' of previous message.`,
        `messages.[${at}].tool_call_id`,
      );
    return;
  }
  const after = messages.slice(at + 1);
  const end = after.findIndex(({ role }) => role !== 'tool');
  const answers = (end < 0 ? after : after.slice(0, end)).map(({ tool_call_id }) => String(tool_call_id));
  const open = callIdsOf(message).filter((id) => !answers.includes(id));
  if (open.length > 0)
    yield invalid(
      `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`,
      `messages.[${at}].role`,
    );
}

const callIdsOf = (message: JsonObject): readonly string[] =>
  objectsIn(message.tool_calls).map(({ id }) => String(id));
