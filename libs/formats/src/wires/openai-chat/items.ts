import {
  type Block,
  isReasoning,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  type ToolResultBlock,
} from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { argumentsOf } from '../arguments.js';
import { originalOf, withBeside } from '../original.js';

type MessageContent = Pick<Message, 'role' | 'blocks'>;

/** Returns a message in the form of chat completions: one item, preceded by one per result. */
export const chatItems = ({ role, blocks }: MessageContent): readonly JsonObject[] => {
  const results = blocks.filter(isToolResult);
  const others = blocks.filter((block) => !isToolResult(block));
  return [...results.map(resultItem), ...(others.length > 0 ? [spokenItem(role, others)] : [])];
};

const resultItem = (block: ToolResultBlock): JsonObject => {
  const original = originalOf(block);
  if (original && original !== 'part') return original;
  return withBeside({ role: 'tool', tool_call_id: block.tool_use_id, content: contentOf(block) }, block);
};

const contentOf = ({ content }: ToolResultBlock): Json =>
  content === undefined ? '' : typeof content === 'string' ? content : content;

const spokenItem = (role: Message['role'], blocks: readonly Block[]): JsonObject => {
  const [first] = blocks;
  const original = first && originalOf(first);
  if (original && original !== 'part') return original;
  if (role !== 'assistant') return { role, content: partsOf(blocks) };
  const calls = blocks.filter(isToolUse);
  const said = blocks.filter((block) => !isToolUse(block) && !isReasoning(block));
  return {
    role,
    content: said.length === 0 ? null : partsOf(said),
    ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
  };
};

const callOf = ({ id, name, input }: Extract<Block, { type: 'tool_use' }>): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: argumentsOf(input) },
});

/** Returns a single text as a string, anything else as a list of parts. */
const partsOf = (blocks: readonly Block[]): Json => {
  const [only, ...more] = blocks;
  return only && more.length === 0 && isText(only) ? only.text : blocks.map(partOf);
};

const partOf = (block: Block): JsonObject => {
  const { openai: _, ...rest } = block;
  if (block.type !== 'image' || !isJsonObject(block.source)) return rest;
  const { url, media_type: type, data } = block.source;
  const address = typeof url === 'string' ? url : `data:${String(type)};base64,${String(data)}`;
  return { type: 'image_url', image_url: { url: address } };
};
