import {
  type AiSdkMessage,
  type Block,
  blocksOf,
  fromAiSdk,
  isText,
  isToolResult,
  isToolUse,
} from '@palimpsest/client';

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
  const wanted = keysOf(earlier);
  const keys: string[] = [];
  for (const [at, message] of history.entries()) {
    if (keys.length === wanted.length) break;
    keys.push(...keysOf([message]));
    if (keys.length === wanted.length && isSame(keys, wanted)) return [...earlier, ...history.slice(at + 1)];
  }
  return history;
};

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  [...a].sort().join('\n') === [...b].sort().join('\n');

const keysOf = (messages: readonly AiSdkMessage[]): readonly string[] =>
  fromAiSdk(messages).flatMap(({ role, content }) =>
    blocksOf(content).flatMap((block) => keyOf(role, block)),
  );

const keyOf = (role: string, block: Block): readonly string[] => {
  if (isText(block)) return block.text.trim() === '' ? [] : [`${role} ${block.text}`];
  if (isToolUse(block)) return [`call ${block.id}`];
  return isToolResult(block) ? [`result ${block.tool_use_id}`] : [];
};
