import type { JsonObject } from '@app/kernel';
import { isBlank, listOf, numberOr, objectOf, objectsIn, textOr } from '../../values/wire-values.js';
import { damageOf, isSigned } from '../compaction/block.js';
import { invalid } from '../failures/refusal.js';
import type { AnthropicModel } from '../models.js';
import { blocksOf } from '../prompt/segments.js';
import type { BlockContext } from './blocks.js';
import { extraInputs, type Refusals } from './refusals.js';
import { callsIn, joined } from './tool-order.js';

const ON_DEMAND = 'compact-2026-09-04';
const INSTRUCTIONS_MAX = 16_384;
const TRIGGER_MIN = 50_000;

/** Yields faults of a request's compaction blocks and compaction options. */
export function* compactionRefusals(
  body: JsonObject,
  model: AnthropicModel,
  context: BlockContext,
  secret: string,
): Refusals {
  const messages = objectsIn(body.messages);
  yield* blockRefusals(messages, context, secret);
  yield* editRefusals(body, model, context);
  if (body.compaction != null) yield* onDemandRefusals(body, messages, model);
}

function* blockRefusals(messages: readonly JsonObject[], { betas }: BlockContext, secret: string): Refusals {
  const places = messages.flatMap(({ content }, message) =>
    blocksOf(content).flatMap((block, index) =>
      block.type === 'compaction'
        ? [{ block, message, index, where: `messages.${message}.content.${index}` }]
        : [],
    ),
  );
  const signed = places.filter(({ block }) => isSigned(block));
  for (const { block, where, message, index } of places) {
    if (block.content === '')
      yield invalid(`${where}.compaction.content: String should have at least 1 character`);
    if (isSigned(block) && !betas.has(ON_DEMAND))
      yield invalid(`${where}.compaction.signature: Extra inputs are not permitted`);
    if (isSigned(block) && signed.length > 1)
      yield invalid('messages: more than one signed `compaction` block', 'compaction_block_ambiguous');
    if (isSigned(block) && message + index > 0)
      yield invalid(`${where}: a signed \`compaction\` block must come first`, 'compaction_block_misplaced');
    const damage = damageOf(secret, block);
    if (damage !== undefined) yield invalid(`${where}: the \`compaction\` block was altered`, damage);
  }
  const [first] = signed;
  const isAlone = first !== undefined && blocksOf(messages[0]?.content).length === 1;
  const next = messages[1]?.role;
  if (isAlone && next !== undefined && (next === messages[0]?.role || next === 'system'))
    yield invalid(`messages.1: what follows a signed \`compaction\` block may not be of the role ${next}`);
}

function* editRefusals(
  { context_management: management, messages }: JsonObject,
  model: AnthropicModel,
  { betas }: BlockContext,
): Refusals {
  if (management == null) return;
  const edits = objectsIn(objectOf(management).edits);
  let last = -1;
  for (const [at, edit] of edits.entries()) {
    const where = `context_management.edits.${at}`;
    const order = EDITS.findIndex(({ type }) => type === edit.type);
    const { members = [], beta = '' } = EDITS[order] ?? {};
    if (order < 0 || !betas.has(beta))
      yield invalid(
        `${where}: Input tag '${edit.type}' found using 'type' does not match any of the expected tags`,
      );
    yield* extraInputs(`${where}.${edit.type}`, edit, ['type', ...members]);
    if (order <= last)
      yield invalid(`${where}: \`${edit.type}\` must come before the edits that it is listed after`);
    last = order;
    if (edit.type !== 'compact_20260112') continue;
    const value = numberOr(objectOf(edit.trigger).value, TRIGGER_MIN);
    if (value < TRIGGER_MIN)
      yield invalid(`${where}.trigger.value: Input should be greater than or equal to ${TRIGGER_MIN}`);
    if (!model.compactsAtThreshold) yield invalid(`${where}: compaction is not supported by this model`);
    if (objectsIn(messages).some(({ content }) => blocksOf(content).some(isSigned)))
      yield invalid(`${where}: \`compact_20260112\` may not be used with a signed \`compaction\` block`);
  }
}
const CLEARING = 'context-management-2025-06-27';
/** In the required order. */
const EDITS: readonly {
  readonly type: string;
  readonly beta: string;
  readonly members: readonly string[];
}[] = [
  { type: 'clear_thinking_20251015', beta: CLEARING, members: ['keep'] },
  {
    ...{ type: 'clear_tool_uses_20250919', beta: CLEARING },
    members: ['trigger', 'keep', 'clear_at_least', 'exclude_tools', 'clear_tool_inputs'],
  },
  {
    ...{ type: 'compact_20260112', beta: 'compact-2026-01-12' },
    members: ['trigger', 'pause_after_compaction', 'instructions'],
  },
];

function* onDemandRefusals(
  body: JsonObject,
  messages: readonly JsonObject[],
  model: AnthropicModel,
): Refusals {
  const { type, instructions } = objectOf(body.compaction);
  if (type !== 'summarize') yield invalid("compaction.type: Input should be 'summarize'");
  if (textOr(instructions, '').length > INSTRUCTIONS_MAX)
    yield invalid(`compaction.instructions: String should have at most ${INSTRUCTIONS_MAX} characters`);
  if (!model.compactsOnDemand) yield invalid('compaction: this model does not support on-demand compaction');
  const output = objectOf(body.output_config);
  const choice = objectOf(body.tool_choice).type;
  const forbidden: readonly (readonly [string, boolean])[] = [
    ['context_management', body.context_management != null],
    ['stop_sequences', listOf(body.stop_sequences).length > 0],
    ['output_config.format', output.format != null || body.output_format != null],
    ['tool_choice', choice === 'any' || choice === 'tool'],
    ['output_config.task_budget.remaining', objectOf(output.task_budget).remaining != null],
  ];
  for (const [name, isGiven] of forbidden)
    if (isGiven) yield invalid(`compaction: may not be combined with \`${name}\``);
  const turns = joined(messages);
  const end = turns.at(-1);
  if (end && callsIn(end).length > 0)
    yield invalid('compaction: the last turn waits for tool results', 'compaction_incomplete_turn');
  const isSomething = ({ type: kind, text }: JsonObject) =>
    kind !== 'compaction' && !(kind === 'text' && isBlank(text));
  if (!turns.some(({ blocks }) => blocks.some(isSomething)))
    yield invalid('compaction: there is nothing to summarize', 'compaction_nothing_to_summarize');
}
