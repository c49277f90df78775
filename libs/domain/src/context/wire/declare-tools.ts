import { isJsonObject, type Json, type JsonObject, type MessageId } from '@app/kernel';
import { isToolUse, type Message } from '../../message/index.js';
import type { WireFormat, WireMessage } from '../../message/wire.js';
import { toolName } from './call-names.js';

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

/**
 * Answers that were written under a shorter list of tools than the one that goes out now: a tool that nobody declared is
 * in it only once it has been called, so its first call comes behind a request without it.
 */
export const answersBeforeLastTool = (
  declared: readonly JsonObject[],
  messages: readonly Message[],
  format: WireFormat,
): readonly MessageId[] => {
  const known = new Set(declared.map(nameOf));
  const answers: MessageId[] = [];
  let before = 0;
  for (const { id, role, blocks } of messages) {
    if (role !== 'assistant') continue;
    answers.push(id);
    for (const block of blocks) {
      if (!isToolUse(block)) continue;
      const name = toolName(block.name, format);
      if (known.has(name)) continue;
      known.add(name);
      before = answers.length;
    }
  }
  return answers.slice(0, before);
};

/** A tool's name, in Anthropic's form or in one of OpenAI's: chat has it one level down. */
const nameOf = (tool: JsonObject): Json | undefined => {
  if (isJsonObject(tool.function)) return tool.function.name;
  return isJsonObject(tool.custom) ? tool.custom.name : tool.name;
};
