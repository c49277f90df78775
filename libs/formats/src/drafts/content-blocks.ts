import { type Block, blockFrom, textBlock } from '@app/domain';
import { isJsonObject, type Json, LIMITS } from '@app/kernel';

/**
 * Returns the `content` of a message as blocks. Text is one block; empty text is dropped, because providers reject
 * it. An invalid block becomes a text block with its JSON. `undefined` without content, or if it is nested too deep.
 */
export const contentBlocks = (
  content: Json | undefined,
  blockOf: (part: Json) => Block | undefined = blockFrom,
): readonly Block[] | undefined => {
  if (content === undefined || content === null || !isShallow(content)) return undefined;
  if (typeof content === 'string') return textBlocks(content);
  return listOf(content).map((part) => blockOf(part) ?? asText(part));
};

export const textBlocks = (text: string): readonly Block[] => (text === '' ? [] : [textBlock(text)]);

/** Returns an invalid block as text. */
export const asText = (value: Json): Block =>
  textBlock(typeof value === 'string' ? value : JSON.stringify(value));

/** Whether `value` is nested no deeper than every later step can bear. */
export const isShallow = (value: Json | undefined, levels = LIMITS.depth.max as number): boolean => {
  if (levels === 0) return false;
  if (isJsonObject(value)) return Object.values(value).every((member) => isShallow(member, levels - 1));
  return !Array.isArray(value) || value.every((item: Json) => isShallow(item, levels - 1));
};

const listOf = (content: Json): readonly Json[] => {
  const list: readonly Json[] = Array.isArray(content) ? content : [content];
  return list;
};
