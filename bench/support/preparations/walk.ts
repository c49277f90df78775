import type { Block, OpenSession } from '@app/domain';
import type { JsonObject } from '@app/kernel';

/**
 * The bare walk: visits each message and block once, and returns the sum of the lengths of message ids, block types
 * and block texts.
 */
export const walk = ({ entries }: OpenSession): number => {
  let sum = 0;
  for (const { message } of entries) {
    sum += message.id.length;
    for (const block of message.blocks) sum += block.type.length + textLength(block);
  }
  return sum;
};

/**
 * Returns the length of a text, of reasoning, of a call's id, name and arguments, or of a result's id and content.
 */
const textLength = (block: Block): number => {
  switch (block.type) {
    case 'text':
      return block.text.length;
    case 'thinking':
      return block.thinking.length;
    case 'tool_use':
      return block.id.length + block.name.length + argumentsLength(block.input);
    case 'tool_result':
      return block.tool_use_id.length + (typeof block.content === 'string' ? block.content.length : 0);
    default:
      return 0;
  }
};

const argumentsLength = (input: JsonObject): number => {
  let sum = 0;
  for (const value of Object.values(input)) if (typeof value === 'string') sum += value.length;
  return sum;
};
