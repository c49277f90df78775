import { type Block, blockFrom, type Role, textBlock } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { contentBlocks } from '../../drafts/content-blocks.js';
import { listIn, stringIn } from '../../drafts/members.js';
import { inputOf } from '../arguments.js';
import { blockOfPart } from '../openai-chat/convert-part.js';
import { keepingOriginal } from '../original.js';
import { responsesItems } from './items.js';

/** The role and content of an item in the session's form. */
export type ReadItem = { readonly role: Role; readonly blocks: readonly Block[] };

/** An item of the Responses API; a kind that is not known is its provider's, and kept as it is. */
export const readItem = (item: JsonObject): ReadItem => {
  const type = typeof item.type === 'string' ? item.type : 'message';
  switch (type) {
    case 'message':
      return messageItem(item);
    case 'reasoning':
      // Opaque and provider-specific: stored as JSON in place of a signature.
      return {
        role: 'assistant',
        blocks: [{ type: 'thinking', thinking: summaryOf(item), signature: JSON.stringify(item) }],
      };
    case 'function_call':
    case 'custom_tool_call':
      return kept('assistant', [callBlock(item)], item);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return kept('user', [resultBlock(item)], item);
    default:
      return { role: type.endsWith('_output') ? 'user' : 'assistant', blocks: [opaque(item)] };
  }
};

const kept = (role: Role, blocks: readonly Block[], item: JsonObject): ReadItem => ({
  role,
  blocks: keepingOriginal(blocks, item, responsesItems({ role, blocks })),
});

const messageItem = (item: JsonObject): ReadItem => {
  const role = item.role === 'assistant' ? 'assistant' : item.role === 'user' ? 'user' : 'system';
  return kept(role, contentBlocks(item.content, blockOfPart) ?? [], item);
};

const callBlock = (item: JsonObject): Block => ({
  type: 'tool_use',
  id: stringIn(item, 'call_id') ?? stringIn(item, 'id') ?? 'unknown',
  name: stringIn(item, 'name') ?? 'unknown',
  input: inputOf(item.arguments ?? item.input),
});

const resultBlock = (item: JsonObject): Block => {
  const { output } = item;
  const parts = typeof output === 'string' ? output : contentBlocks(output, blockOfPart);
  const id = stringIn(item, 'call_id') ?? 'unknown';
  return { type: 'tool_result', tool_use_id: id, ...(parts !== undefined && { content: parts }) };
};

const summaryOf = (item: JsonObject): string =>
  (listIn(item, 'summary') ?? [])
    .map((part: Json) => (isJsonObject(part) ? (stringIn(part, 'text') ?? '') : ''))
    .join('\n');

const opaque = (item: JsonObject): Block => blockFrom(item) ?? textBlock(JSON.stringify(item));
