import { type Block, blockFrom, textBlock } from '@app/domain';
import { isJsonObject, type Json, type JsonObject, parseJson } from '@app/kernel';

/**
 * A call or a result that a program has written down otherwise than the API takes it, as the API would: its input as a text
 * of JSON, its content as nothing, or as texts. `undefined` where it is still none.
 */
export const mendedBlock = (part: Json): Block | undefined => {
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
