import { type Block, blockFrom, textBlock } from '@app/domain';
import { isJsonObject, type Json, type JsonObject, parseJson } from '@app/kernel';

/**
 * Repairs a call or a result in a non-standard form: input as JSON text, missing content, content as a list of texts.
 * Returns the standard form; `undefined` if it cannot be repaired.
 */
export const repairedBlock = (part: Json): Block | undefined => {
  if (!isJsonObject(part)) return undefined;
  if (part.type === 'tool_use' && typeof part.input === 'string')
    return blockFrom({ ...part, input: part.input === '' ? {} : (parseJson(part.input) ?? null) });
  if (part.type === 'tool_use' && (part.input === undefined || part.input === null))
    return blockFrom({ ...part, input: {} });
  return part.type === 'tool_result' ? blockFrom(withContent(part)) : undefined;
};

const withContent = ({ content, ...rest }: JsonObject): JsonObject => {
  if (content === null) return rest;
  const list: readonly Json[] = Array.isArray(content) ? content : [content ?? ''];
  return { ...rest, content: list.map((item) => (typeof item === 'string' ? textBlock(item) : item)) };
};
