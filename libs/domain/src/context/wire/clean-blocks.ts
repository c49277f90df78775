import { canonicalJson, isJsonObject, type JsonObject } from '@app/kernel';
import { type Block, type ToolResultBlock, textBlock } from '../../message/index.js';
import { droppedOutputText, type WayBack } from '../../view/recall/recall-tool.js';
import { renamed } from './renamed.js';

const NO_OUTPUT = '(no output)';
const UNANSWERED_TEXT = '[No result of this tool call was recorded.]';

export const isBlank = (text: string): boolean => text.trim() === '';

/**
 * A result in the form that providers accept: no empty text in it, and never nothing at all.
 *
 * @param dropped how the original is read back, where only a line is left of it.
 */
export const cleanResult = (block: ToolResultBlock, id: string, dropped?: WayBack): ToolResultBlock => {
  const named = block.tool_use_id === id ? block : renamed(block, { tool_use_id: id });
  if (dropped) return { ...named, content: droppedOutputText(block.tool_use_id, dropped) };
  if (block.content === undefined) return { ...named, content: NO_OUTPUT };
  if (typeof block.content === 'string')
    return isBlank(block.content) ? { ...named, content: NO_OUTPUT } : named;
  const given = block.is_error ? block.content.map(inWords) : block.content;
  const parts = given.filter(
    (part) => part.type !== 'text' || (typeof part.text === 'string' && !isBlank(part.text)),
  );
  if (given === block.content && parts.length === given.length && parts.length > 0) return named;
  return { ...named, content: parts.length === 0 ? NO_OUTPUT : parts };
};

/** A result of which only a line is left. */
export const maskedResult = (block: ToolResultBlock, way: WayBack): ToolResultBlock => {
  const { openai: _, ...rest } = cleanResult(block, block.tool_use_id, way);
  return { ...rest, type: 'tool_result', tool_use_id: block.tool_use_id };
};

/** An error may contain text only: other parts are named. */
const inWords = (part: JsonObject): JsonObject =>
  part.type === 'text' ? part : textBlock(`[${String(part.type)}]`);

/** The placeholder result of an unanswered call. */
export const syntheticResult = (id: string): ToolResultBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content: UNANSWERED_TEXT,
  is_error: true,
});

/** Returns a misplaced block as text, so that its content is kept. */
export const quoteStray = (block: Block): Block => {
  if (block.type === 'tool_result')
    return textBlock(`[Result of a tool call that is not in this context]\n${resultWords(block)}`);
  if (block.type === 'image' || block.type === 'document') return textBlock(`[${block.type}]`);
  return textBlock(`[${block.type}] ${canonicalJson(block)}`);
};

/** Returns the text of a result, with names in place of other parts. */
export const resultWords = ({ content }: JsonObject): string => {
  if (typeof content === 'string') return isBlank(content) ? NO_OUTPUT : content;
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const words = parts
    .map((part) => (typeof part.text === 'string' ? part.text : `[${String(part.type)}]`))
    .join('\n');
  return isBlank(words) ? NO_OUTPUT : words;
};
