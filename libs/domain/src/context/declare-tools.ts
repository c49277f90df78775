import type { JsonObject } from '@app/kernel';
import { isToolUse } from '../message/index.js';
import type { WireMessage } from './wire.js';

/**
 * The tools that the session declares, and after them one for each tool that is called without having been
 * declared: recorded sessions rarely say what their tools were, and providers refuse calls without any.
 */
export const usedTools = (
  declared: readonly JsonObject[],
  messages: readonly WireMessage[],
): readonly JsonObject[] => {
  const known = new Set(declared.map((tool) => tool.name));
  const missing = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const block of message.blocks)
      if (isToolUse(block) && !known.has(block.name)) missing.add(block.name);
  }
  const open = [...missing].sort().map((name) => ({ name, input_schema: { type: 'object' } }));
  return [...declared, ...open];
};
