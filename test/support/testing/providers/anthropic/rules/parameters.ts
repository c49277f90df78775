import type { JsonObject } from '@app/kernel';
import { isBlank, listOf, numberOr, objectOf, objectsIn, textOr } from '../../values/wire-values.js';
import { invalid } from '../failures/refusal.js';
import type { AnthropicModel } from '../models.js';
import { type BlockContext, blockRefusals } from './blocks.js';
import { extraInputs, type Refusals } from './refusals.js';

const SAMPLING = ['temperature', 'top_p', 'top_k'];
const MEMBERS = [
  ...['model', 'max_tokens', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'metadata'],
  ...['stop_sequences', 'stream', 'service_tier', 'cache_control', 'container', 'inference_geo'],
  ...['output_config', 'output_format', 'mcp_servers', 'speed', 'fallbacks', 'fallback_credit_token'],
  ...['diagnostics', 'billing_policy', 'context_management', 'compaction', 'thread', 'user_profile_id'],
  ...SAMPLING,
];
/** The parameters of token counting: all except those of the answer. */
const COUNT_MEMBERS = MEMBERS.filter(
  (name) => !['max_tokens', 'stream', 'metadata', ...SAMPLING].includes(name),
);

export type Call = 'create' | 'count';

export function* parameterRefusals(
  body: JsonObject,
  call: Call,
  model: AnthropicModel,
  context: BlockContext,
): Refusals {
  yield* extraInputs('', body, knownMembers(call, context));
  if (body.thread != null)
    yield invalid('thread: message threads are not available here', 'thread_unsupported_request');
  if (call === 'create') yield* lengthRefusals(body, model);
  yield* systemRefusals(body.system, context);
  yield* toolRefusals(body);
  yield* choiceRefusals(body, model);
  yield* thinkingRefusals(body, model);
  yield* markRefusals(body);
}

const knownMembers = (call: Call, { betas, isNewVersion }: BlockContext): readonly string[] =>
  (call === 'create' ? MEMBERS : COUNT_MEMBERS).filter((name) => {
    if (SAMPLING.includes(name)) return !isNewVersion;
    if (name === 'compaction') return betas.has('compact-2026-09-04');
    if (name === 'context_management')
      return betas.has('context-management-2025-06-27') || betas.has('compact-2026-01-12');
    return true;
  });

function* lengthRefusals({ max_tokens: max }: JsonObject, { id, outputMax }: AnthropicModel): Refusals {
  if (max === undefined) yield invalid('max_tokens: Field required');
  if (typeof max !== 'number' || !Number.isInteger(max))
    yield invalid('max_tokens: Input should be a valid integer');
  if (numberOr(max, 0) < 0) yield invalid('max_tokens: Input should be greater than or equal to 0');
  if (numberOr(max, 0) > outputMax)
    yield invalid(
      `max_tokens: ${max} > ${outputMax}, which is the maximum allowed number of output tokens for ${id}`,
    );
}

function* systemRefusals(system: JsonObject[string], context: BlockContext): Refusals {
  if (system === undefined || typeof system === 'string') return;
  if (!Array.isArray(system)) yield invalid('system: Input should be a valid list');
  for (const [at, block] of objectsIn(system).entries()) {
    if (block.type !== 'text') yield invalid(`system.${at}.type: Input should be 'text'`);
    if (isBlank(block.text)) yield invalid('system: text content blocks must be non-empty');
    yield* blockRefusals(`system.${at}`, block, 'system', context);
  }
}

function* toolRefusals({ tools }: JsonObject): Refusals {
  const list = objectsIn(tools);
  for (const [at, tool] of list.entries()) {
    const name = textOr(tool.name, '');
    const isCustom = tool.type === undefined || tool.type === 'custom';
    if (!isCustom) continue; // Server tools have other members.
    yield* extraInputs(`tools.${at}.custom`, tool, TOOL_MEMBERS);
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name))
      yield invalid(`tools.${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    if (tool.input_schema === undefined) yield invalid(`tools.${at}.custom.input_schema: Field required`);
    if (objectOf(tool.input_schema).type !== 'object')
      yield invalid(`tools.${at}.custom.input_schema.type: Input should be 'object'`);
    if (list.findIndex((other) => other.name === name) !== at)
      yield invalid('tools: Tool names must be unique.');
  }
}
const TOOL_MEMBERS = [
  ...['type', 'name', 'description', 'input_schema', 'cache_control', 'strict', 'defer_loading'],
  ...['allowed_callers', 'eager_input_streaming', 'input_examples'],
];

function* choiceRefusals({ tool_choice: choice, tools }: JsonObject, model: AnthropicModel): Refusals {
  if (choice == null) return;
  const { type, name } = objectOf(choice);
  if (!['auto', 'any', 'tool', 'none'].includes(String(type)))
    yield invalid(
      `tool_choice: Input tag '${type}' found using 'type' does not match any of the expected tags`,
    );
  const isForced = type === 'any' || type === 'tool';
  if (isForced && !model.forcesTools)
    yield invalid(`tool_choice: \`${type}\` is not supported by this model. Use \`auto\` or \`none\`.`);
  if (type !== 'none' && listOf(tools).length === 0)
    yield invalid('tool_choice: tool_choice may only be specified while providing tools');
  if (type === 'tool' && !objectsIn(tools).some((tool) => tool.name === name))
    yield invalid(`tool_choice: Tool '${name}' not found in provided tools`);
}

function* thinkingRefusals(body: JsonObject, model: AnthropicModel): Refusals {
  if (body.thinking == null) return;
  const { type, budget_tokens: budget } = objectOf(body.thinking);
  const isKnown = type === 'enabled' || type === 'adaptive' || type === 'disabled';
  if (!isKnown || !model.thinking.includes(type))
    yield invalid(`"thinking.type.${type}" is not supported for this model.`);
  if (type !== 'enabled') return;
  if (typeof budget !== 'number') yield invalid('thinking.enabled.budget_tokens: Field required');
  if (numberOr(budget, 0) < 1_024)
    yield invalid('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
  if (typeof body.max_tokens === 'number' && numberOr(budget, 0) >= body.max_tokens)
    yield invalid('`max_tokens` must be greater than `thinking.budget_tokens`.');
  const choice = objectOf(body.tool_choice).type;
  if (choice === 'any' || choice === 'tool')
    yield invalid('Thinking may not be enabled when tool_choice forces tool use.');
}

/** Allows at most four marks, longer-lived ones first. */
function* markRefusals(body: JsonObject): Refusals {
  const marked = [
    ...objectsIn(body.tools),
    ...objectsIn(body.system),
    ...objectsIn(body.messages).flatMap(({ content }) => objectsIn(content)),
    body,
  ].filter(({ cache_control }) => cache_control != null);
  if (marked.length > MARKS_MAX)
    yield invalid(
      `A maximum of ${MARKS_MAX} blocks with cache_control may be provided. Found ${marked.length}.`,
    );
  let isShort = false;
  for (const { cache_control } of marked) {
    const { type, ttl = '5m' } = objectOf(cache_control);
    if (type !== 'ephemeral') yield invalid("cache_control.type: Input should be 'ephemeral'");
    if (ttl !== '5m' && ttl !== '1h')
      yield invalid("cache_control.ephemeral.ttl: Input should be '5m' or '1h'");
    if (ttl === '1h' && isShort)
      yield invalid(
        "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
      );
    isShort ||= ttl === '5m';
  }
}
const MARKS_MAX = 4;
