import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import {
  type Block,
  isReasoning,
  isText,
  isToolUse,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../../message/index.js';
import type { WireAssistant, WireUser } from '../../message/wire.js';
import { reasoningItemOf } from '../wire/reasoning.js';
import { responsesPart } from './parts.js';

/**
 * Adds the assistant's output as items in order. Items are sent by value: an id would refer to the provider's
 * stored item, parts of which may have been compacted away.
 */
export const addAssistantItems = ({ blocks }: WireAssistant, items: JsonObject[]): void => {
  let content: string | undefined;
  let phase: Json | undefined;
  for (const block of blocks) {
    if (isText(block)) {
      const next = isJsonObject(block.openai) ? block.openai.phase : undefined;
      if (content !== undefined && next !== phase) {
        items.push(saidItem(content, phase));
        content = undefined;
      }
      phase = next;
      content = content === undefined ? block.text : `${content}\n\n${block.text}`;
      continue;
    }
    if (content !== undefined) items.push(saidItem(content, phase));
    content = undefined;
    items.push(itemOf(block));
  }
  if (content !== undefined) items.push(saidItem(content, phase));
};

const saidItem = (content: string, phase: Json | undefined): JsonObject =>
  typeof phase === 'string' ? { role: 'assistant', content, phase } : { role: 'assistant', content };

const itemOf = (block: Block): JsonObject => {
  if (isToolUse(block)) return callItem(block);
  if (!isReasoning(block)) return byValue(block);
  const { content, encrypted_content, summary = [] } = reasoningItemOf(block) ?? {};
  return { type: 'reasoning', summary, ...(content !== undefined && { content }), encrypted_content };
};

const byValue = ({ id: _, openai: __, ...item }: JsonObject): JsonObject => item;

/** Returns whether the call was read from an item of a custom tool, whose input is text. */
export const isCustomCall = ({ openai }: ToolUseBlock): boolean =>
  isJsonObject(openai) && openai.type === 'custom_tool_call';

const callItem = (block: ToolUseBlock): JsonObject => {
  const { id, name, input } = block;
  return isCustomCall(block)
    ? { type: 'custom_tool_call', call_id: id, name, input: textIn(input) }
    : { type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) };
};

/** Returns the text input of a custom tool, which readers keep under `_raw` if it is not JSON. */
const textIn = (input: JsonObject): string =>
  typeof input._raw === 'string' && Object.keys(input).length === 1 ? input._raw : JSON.stringify(input);

/**
 * Adds results, and then the words of the user.
 *
 * @param custom the ids of calls of custom tools.
 */
export const addUserItems = (
  { results, blocks }: WireUser,
  custom: ReadonlySet<string>,
  items: JsonObject[],
): void => {
  for (const result of results) items.push(resultItem(result, custom));
  if (blocks.length > 0) items.push({ role: 'user', content: contentOf(blocks) });
};

const resultItem = (result: ToolResultBlock, custom: ReadonlySet<string>): JsonObject => ({
  type: custom.has(result.tool_use_id) ? 'custom_tool_call_output' : 'function_call_output',
  call_id: result.tool_use_id,
  output: outputOf(result),
});

/**
 * Returns text as a string, and images or files as a list of parts. The API has no error flag, so that an error is
 * stated in the text.
 */
const outputOf = ({ content, is_error: isError }: ToolResultBlock): Json => {
  if (typeof content === 'string') return isError ? `[error] ${content}` : content;
  const parts = (content ?? []).map(partOf);
  if (parts.every(({ type }) => type === 'input_text')) {
    const words = parts.map(({ text }) => text).join('\n');
    return isError ? `[error] ${words}` : words;
  }
  return isError ? [{ type: 'input_text', text: '[error]' }, ...parts] : parts;
};

const contentOf = (blocks: readonly Block[]): Json => {
  const [only] = blocks;
  return only && blocks.length === 1 && isText(only) ? only.text : blocks.map(partOf);
};

const partOf = (block: JsonObject): JsonObject =>
  responsesPart(block) ?? { type: 'input_text', text: `[${String(block.type)}]` };
