import type { JsonObject, MessageId } from '@app/kernel';
import { isToolUse, type Message } from '../../message/index.js';
import type { WireFormat } from '../../message/wire.js';
import { declaredName } from '../../view/recall/recall-tool.js';
import { toolName } from './call-names.js';

/**
 * Returns the declared tools, followed by one for each called but undeclared tool (`called` are names): recorded sessions rarely contain
 * their tools, and providers reject calls without a declaration.
 */
export const usedTools = (
  declared: readonly JsonObject[],
  called: Iterable<string>,
): readonly JsonObject[] => {
  const known = new Set(declared.map(declaredName));
  const missing = new Set([...called].filter((name) => !known.has(name)));
  const open = [...missing].sort().map((name) => ({ name, input_schema: { type: 'object' } }));
  return [...declared, ...open];
};

/**
 * Returns the answers that were created under a shorter list of tools than the current one: an undeclared tool joins
 * the list with its first call, whose own request did not have it.
 */
export const answersBeforeLastTool = (
  declared: readonly JsonObject[],
  messages: readonly Message[],
  format: WireFormat,
): readonly MessageId[] => {
  const known = new Set(declared.map(declaredName));
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
