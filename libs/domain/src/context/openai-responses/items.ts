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
 * Returns the assistant's output as items in order. Items are sent by value: an id would refer to the provider's
 * stored item, parts of which may have been compacted away.
 */
export const assistantItems = ({ blocks }: WireAssistant): readonly JsonObject[] => {
  const items: JsonObject[] = [];
  let words: string[] = [];
  let phase: Json | undefined;
  const flush = (): void => {
    const content = words.join('\n\n');
    if (words.length > 0)
      items.push({ role: 'assistant', content, ...(typeof phase === 'string' && { phase }) });
    words = [];
  };
  for (const block of blocks) {
    if (isText(block)) {
      const next = isJsonObject(block.openai) ? block.openai.phase : undefined;
      if (next !== phase) flush();
      phase = next;
      words.push(block.text);
      continue;
    }
    flush();
    items.push(itemOf(block));
  }
  flush();
  return items;
};

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

/** @param custom the ids of calls of custom tools. */
export const userItems = (
  { results, blocks }: WireUser,
  custom: ReadonlySet<string>,
): readonly JsonObject[] => [
  ...results.map((result) => resultItem(result, custom)),
  ...(blocks.length > 0 ? [{ role: 'user', content: contentOf(blocks) }] : []),
];

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
  const parts = content === undefined || typeof content === 'string' ? [] : content.map(partOf);
  if (parts.every(({ type }) => type === 'input_text')) {
    const words = typeof content === 'string' ? content : parts.map(({ text }) => text).join('\n');
    return isError ? `[error] ${words}` : words;
  }
  return isError ? [{ type: 'input_text', text: '[error]' }, ...parts] : parts;
};

const contentOf = (blocks: readonly Block[]): Json => {
  const [only, ...more] = blocks;
  return only && more.length === 0 && isText(only) ? only.text : blocks.map(partOf);
};

const partOf = (block: JsonObject): JsonObject =>
  responsesPart(block) ?? { type: 'input_text', text: `[${String(block.type)}]` };
