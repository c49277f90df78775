import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { isToolUse } from '../../message/index.js';
import type { WireMessage } from './wire.js';

/**
 * The tools that the session declares, and after them one for each tool that is called without having been
 * declared: recorded sessions rarely say what their tools were, and providers refuse calls without any.
 */
export const usedTools = (
  declared: readonly JsonObject[],
  messages: readonly WireMessage[],
): readonly JsonObject[] => {
  const known = new Set(declared.map(nameOf));
  const missing = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const block of message.blocks)
      if (isToolUse(block) && !known.has(block.name)) missing.add(block.name);
  }
  const open = [...missing].sort().map((name) => ({ name, input_schema: { type: 'object' } }));
  return [...declared, ...open];
};

/** A tool's name, in Anthropic's form or in OpenAI's, which has it one level down. */
const nameOf = (tool: JsonObject): Json | undefined =>
  isJsonObject(tool.function) ? tool.function.name : tool.name;
