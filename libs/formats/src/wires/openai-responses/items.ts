import { type Block, isReasoning, isText, type Message, responsesPart } from '@app/domain';
import { isJsonObject, type Json, type JsonObject, parseJson } from '@app/kernel';
import { argumentsOf } from '../arguments.js';
import { originalOf, withBeside } from '../original.js';

/** Returns a message as items of the Responses API, one per top-level block. */
export const responsesItems = ({ role, blocks }: Pick<Message, 'role' | 'blocks'>): readonly JsonObject[] => {
  const items: JsonObject[] = [];
  let spoken: Block[] = [];
  const flush = (): void => {
    if (spoken.length > 0) items.push({ role, content: contentOf(role, spoken) });
    spoken = [];
  };
  for (const block of blocks) {
    const original = originalOf(block);
    if (original === 'part') continue;
    const item = original ?? itemOf(block);
    if (!item) {
      spoken.push(block);
      continue;
    }
    flush();
    if (item !== 'nothing') items.push(item);
  }
  flush();
  return items;
};

/** Returns `undefined` for a part of a message, `nothing` for content of another provider. */
const itemOf = (block: Block): JsonObject | 'nothing' | undefined => {
  if (isText(block) || block.type === 'image' || block.type === 'document') return undefined;
  if (isReasoning(block)) {
    const item = block.type === 'thinking' && block.signature ? parseJson(block.signature) : undefined;
    return isJsonObject(item) ? item : 'nothing';
  }
  if (block.type === 'tool_use') {
    const { id, name, input } = block;
    return {
      type: 'function_call',
      call_id: String(id),
      name: String(name),
      arguments: argumentsOf(input as JsonObject),
    };
  }
  if (block.type === 'tool_result') {
    const { tool_use_id: id, content } = block;
    return withBeside({ type: 'function_call_output', call_id: id, output: outputOf(content) }, block);
  }
  return block;
};

const outputOf = (content: Json | undefined): Json => {
  if (content === undefined) return '';
  if (!Array.isArray(content)) return content;
  return content.map((part) => (isJsonObject(part) ? partOf('user', part) : part));
};

const contentOf = (role: Message['role'], blocks: readonly Block[]): Json => {
  const [only, ...more] = blocks;
  return only && more.length === 0 && isText(only) ? only.text : blocks.map((block) => partOf(role, block));
};

const partOf = (role: Message['role'], block: JsonObject): JsonObject => {
  if (block.type === 'text' && role === 'assistant') return { type: 'output_text', text: block.text };
  return responsesPart(block) ?? block;
};
