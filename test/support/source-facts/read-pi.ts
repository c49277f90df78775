import type { JsonObject } from '@app/kernel';
import { listOf, objectOf } from '../provider-rules/values.js';
import { type Fact, factOf } from './fact.js';

/** Returns the facts of a pi record in Anthropic's form; none if it is not a message. */
export const piFacts = (record: JsonObject): readonly Fact[] => {
  if (record.type !== 'message') return [];
  const { role, content, toolCallId, isError } = objectOf(record.message);
  const blocks = listOf(content).map(objectOf).map(fromPi);
  if (role !== 'toolResult') return blocks.map((block) => factOf(String(role), block));
  const parts = typeof content === 'string' ? content : blocks;
  return [
    factOf('user', { type: 'tool_result', tool_use_id: toolCallId, content: parts, is_error: isError }),
  ];
};

const fromPi = (block: JsonObject): JsonObject => {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking, signature: block.thinkingSignature };
    case 'toolCall':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.arguments };
    case 'image':
      return { type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } };
    default:
      return block;
  }
};
