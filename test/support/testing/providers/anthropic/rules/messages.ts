import type { JsonObject } from '@app/kernel';
import { isBlank, listOf, objectsIn } from '../../values/wire-values.js';
import { invalid } from '../failures/refusal.js';
import type { AnthropicModel } from '../models.js';
import { blocksOf } from '../prompt/segments.js';
import { type BlockContext, blockRefusals } from './blocks.js';
import { extraInputs, type Refusals } from './refusals.js';
import { callsIn, joined, type Turn, toolRefusals, unanswered } from './tool-order.js';

/** The maximum number of messages. */
const MESSAGES_MAX = 100_000;

export function* messageRefusals(body: JsonObject, model: AnthropicModel, context: BlockContext): Refusals {
  if (body.messages === undefined) yield invalid('messages: Field required');
  if (!Array.isArray(body.messages)) yield invalid('messages: Input should be a valid list');
  const messages = objectsIn(body.messages);
  if (messages.length === 0) yield invalid('messages: at least one message is required');
  if (messages.length > MESSAGES_MAX)
    yield invalid(`messages: List should have at most ${MESSAGES_MAX} items`);
  for (const [at, message] of messages.entries()) yield* oneMessage(message, at, messages, context);
  yield* systemMessageRefusals(messages, model);
  const turns = joined(messages);
  if (turns[0]?.role !== 'user' && turns[0]?.blocks[0]?.type !== 'compaction')
    yield invalid('messages: first message must use the "user" role');
  yield* toolRefusals(turns);
  yield* endRefusals(messages, turns, model, body.compaction != null);
}

function* oneMessage(
  message: JsonObject,
  at: number,
  messages: readonly JsonObject[],
  context: BlockContext,
): Refusals {
  const where = `messages.${at}`;
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    yield invalid(`${where}.role: Input should be 'user', 'assistant' or 'system'`);
  yield* extraInputs(where, message, ['role', 'content', ...(role === 'system' ? SYSTEM_MEMBERS : [])]);
  if (role === 'system' && content === undefined) return; // It may set an option without text.
  if (content === undefined) yield invalid(`${where}.content: Field required`);
  if (typeof content !== 'string' && !Array.isArray(content))
    yield invalid(`${where}.content: Input should be a valid list`);
  const isLastOfAssistant = at === messages.length - 1 && role === 'assistant';
  const isEmpty = typeof content === 'string' ? content === '' : listOf(content).length === 0;
  if (isEmpty && !isLastOfAssistant)
    yield invalid(
      `${where}: all messages must have non-empty content except for the optional final assistant message`,
    );
  if (typeof content === 'string' && content !== '' && isBlank(content))
    yield invalid('messages: text content blocks must contain non-whitespace text');
  if (typeof content === 'string') return;
  for (const [index, block] of objectsIn(content).entries())
    yield* blockRefusals(`${where}.content.${index}`, block, String(role), context);
}
const SYSTEM_MEMBERS = ['clear_at', 'output_config'];

/** A system message follows the user, or a turn of server tools, and the assistant follows it. */
function* systemMessageRefusals(messages: readonly JsonObject[], model: AnthropicModel): Refusals {
  for (const [at, { role }] of messages.entries()) {
    if (role !== 'system') continue;
    if (!model.systemMessages)
      yield invalid(
        'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
      );
    const before = messages[at - 1];
    const next = messages[at + 1];
    if (at === 0) yield invalid('messages.0: a `system` message cannot be the first message');
    const ending = before && { role: String(before.role), at: at - 1, blocks: blocksOf(before.content) };
    if (ending?.role !== 'user' && !(ending?.role === 'assistant' && isPaused(ending)))
      yield invalid(`messages.${at}: a \`system\` message must come after a user message`);
    if (next && next.role !== 'assistant')
      yield invalid(`messages.${at}: a \`system\` message must be last or followed by an assistant message`);
  }
}

function* endRefusals(
  messages: readonly JsonObject[],
  turns: readonly Turn[],
  model: AnthropicModel,
  isCompaction: boolean,
): Refusals {
  for (const [at, { role, content }] of messages.entries()) {
    const last = String(blocksOf(content).at(-1)?.type);
    const isFollowedByOwn = messages[at + 1]?.role === role;
    if (role === 'assistant' && THOUGHTS.includes(last) && !isFollowedByOwn)
      yield invalid(`messages.${at}: The final block in an assistant message cannot be \`${last}\`.`);
  }
  const end = turns.at(-1);
  // A compaction ends the conversation, and a paused turn continues: neither is a prefill.
  if (end?.role !== 'assistant' || isCompaction || isPaused(end)) return;
  const open = callsIn(end);
  if (open.length > 0) yield unanswered(end.at, open);
  if (!model.prefill)
    yield invalid(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  const { text } = end.blocks.at(-1) ?? {};
  if (typeof text === 'string' && text !== text.trimEnd())
    yield invalid('messages: final assistant content cannot end with trailing whitespace');
}
const THOUGHTS = ['thinking', 'redacted_thinking'];

/** Whether a turn continues where the server stopped it: after a server tool or a compaction. */
const isPaused = ({ blocks }: Turn): boolean =>
  ['server_tool_use', 'mcp_tool_use', 'compaction'].includes(String(blocks.at(-1)?.type)) ||
  /^(?!tool_result).*_tool_result$/.test(String(blocks.at(-1)?.type));
