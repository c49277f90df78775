import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { isShallow } from '../drafts/content-blocks.js';

/** A function as Anthropic's protocol describes a tool, in either form that OpenAI's have it; other kinds stay as they are. */
export const toolsOf = (tool: Json): readonly JsonObject[] => {
  if (!isJsonObject(tool) || !isShallow(tool)) return [];
  if (tool.type !== 'function') return [tool];
  const { type: _, ...flat } = tool;
  const { parameters, ...named } = isJsonObject(tool.function) ? tool.function : flat;
  return typeof named.name === 'string'
    ? [{ ...named, input_schema: parameters ?? { type: 'object' } }]
    : [tool];
};
