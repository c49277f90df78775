import { createHash } from 'node:crypto';
import { type Block, blocksOf, isText, isToolResult, isToolUse, type Message } from '@palimpsest/client';

/**
 * Returns the IDs of messages in a conversation: the place from 0, and a digest that commits to the message and all before it.
 * Two histories agree up to a message exactly if they have the same ID there.
 *
 * @param after the IDs of the messages before the first one.
 */
export const chainOf = (messages: readonly Message[], after: readonly string[] = []): readonly string[] => {
  let last = after.at(-1) ?? '';
  return messages.map((message, at) => {
    const digest = createHash('sha256').update(last).update(essenceOf(message)).digest('hex');
    last = `m${after.length + at}-${digest.slice(0, 16)}`;
    return last;
  });
};

/**
 * Returns the parts of a message that identify it. Frameworks parse arguments of calls, add provider metadata and drop
 * reasoning between an answer and the next history, so none of these is part of it.
 */
const essenceOf = ({ role, content }: Message): string =>
  JSON.stringify([role, ...blocksOf(content).flatMap(partOf)]);

const partOf = (block: Block): readonly unknown[] => {
  if (block.type === 'thinking' || block.type === 'redacted_thinking') return [];
  if (isText(block)) return block.text.trim() === '' ? [] : [block.text];
  if (isToolUse(block)) return [{ call: block.id, name: block.name }];
  if (!isToolResult(block)) return [block];
  const { tool_use_id: result, content = '' } = block;
  return [{ result, content: blocksOf(content).flatMap(partOf) }];
};
