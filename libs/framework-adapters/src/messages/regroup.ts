import {
  type AiSdkMessage,
  type Block,
  blocksOf,
  fromAiSdk,
  isText,
  isToolResult,
  isToolUse,
} from '@palimpsest/client';
import { commonOf } from '../core/identity.js';

/** Kind of a part and what identifies it. They are not joined: that would copy the text of every history. */
type Key = readonly [kind: string, value: string];

/**
 * Returns a history with its beginning grouped to messages as in an earlier one. Mastra merges the steps of a finished run into
 * one message of calls and one of results, which is no edit of the history.
 *
 * @param earlier the history of the last request and its answer.
 */
export const regroup = (
  earlier: readonly AiSdkMessage[],
  history: readonly AiSdkMessage[],
): readonly AiSdkMessage[] => {
  const isGrouped = commonOf(earlier, history, hasSameKeys) === earlier.length;
  if (isGrouped) return [...earlier, ...history.slice(earlier.length)];
  const wanted = keysOf(earlier);
  const keys: Key[] = [];
  for (const [at, message] of history.entries()) {
    if (keys.length === wanted.length) break;
    keys.push(...keysOf([message]));
    if (keys.length === wanted.length && sorted(keys) === sorted(wanted))
      return [...earlier, ...history.slice(at + 1)];
  }
  return history;
};

const hasSameKeys = (a: AiSdkMessage, b: AiSdkMessage): boolean => {
  const [keys, others] = [keysOf([a]), keysOf([b])];
  const areSame = ([kind, value]: Key, [other, its]: Key): boolean => kind === other && value === its;
  return keys.length === others.length && commonOf(keys, others, areSame) === keys.length;
};

const sorted = (keys: readonly Key[]): string =>
  keys
    .map((key) => key.join(' '))
    .sort()
    .join('\n');

const keysOf = (messages: readonly AiSdkMessage[]): readonly Key[] =>
  fromAiSdk(messages).flatMap(({ role, content }) =>
    blocksOf(content).flatMap((block) => keyOf(role, block)),
  );

const keyOf = (role: string, block: Block): readonly Key[] => {
  if (isText(block)) return block.text.trim() === '' ? [] : [[role, block.text]];
  if (isToolUse(block)) return [['call', block.id]];
  return isToolResult(block) ? [['result', block.tool_use_id]] : [];
};
