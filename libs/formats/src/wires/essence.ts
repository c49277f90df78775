import type { Block, Role, ToolResultBlock } from '@app/domain';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '@app/kernel';

/**
 * The content of a history part as a text that is equal for equivalent forms. A client sends model output back in a form of
 * its own: blanks, reasoning and members without content are ignored there. User text counts exactly. Cache marks are
 * ignored.
 */
export type Essence = string;

/** `undefined` for blocks that say nothing: a client may leave them out. */
export const essenceOf = (role: Role, blocks: readonly Block[]): Essence | undefined => {
  const words = role === 'assistant' ? answerWords(blocks) : blocks.flatMap((block) => givenWords(block));
  return words.length === 0 ? undefined : JSON.stringify([role, ...words]);
};

const answerWords = (blocks: readonly Block[]): readonly string[] => {
  const text = blocks.map((block) => (block.type === 'text' ? String(block.text) : '')).join('');
  const letters = text.replace(/\s+/g, '');
  return [...(letters === '' ? [] : [letters]), ...blocks.flatMap((block) => calledWords(block))];
};

const calledWords = (block: Block): readonly string[] => {
  switch (block.type) {
    case 'text':
    case 'thinking':
    case 'redacted_thinking':
      return [];
    case 'tool_use':
      return [`call ${block.id} ${block.name} ${canonicalJson(block.input)}`];
    default:
      return [`${block.type} ${String(block.tool_use_id ?? block.call_id ?? canonicalJson(unnamed(block)))}`];
  }
};

/** Returns an item without members that clients omit in stateless use: id, status, and nulls. */
const unnamed = ({ id: _, status: __, ...rest }: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(unmarked(rest)).filter(([, member]) => member !== null));

const givenWords = (block: Block): readonly string[] => {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [block.text.trim()];
    case 'thinking':
    case 'redacted_thinking':
      return [];
    case 'tool_result':
      return [`${block.is_error === true ? 'failure' : 'result'} ${block.tool_use_id} ${resultWords(block)}`];
    default:
      return [canonicalJson(unmarked(block))];
  }
};

const resultWords = ({ content }: ToolResultBlock): string => {
  if (content === undefined) return '';
  if (typeof content === 'string') return content.trim();
  return content
    .map((part) => (typeof part.text === 'string' ? part.text : canonicalJson(unmarked(part))))
    .join('\n')
    .trim();
};

/** Returns a block without cache marks and without provider data. */
const unmarked = ({ cache_control: _, openai: __, ...rest }: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [name, isJsonObject(member) ? unmarked(member) : member]),
  );

/** Returns a text unchanged, and any other value as JSON. */
export const wordsOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);
