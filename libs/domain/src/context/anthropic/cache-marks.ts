import { isJsonObject, type JsonObject } from '@app/kernel';
import type { Block } from '../../message/index.js';

/** More cache marks than this in one request are refused, tools and the parts of results included. */
export const CACHE_MARKS_MAX = 4;

/** Returns the number of cache marks of tools or blocks, including those inside tool results. */
export const cacheMarksIn = (marked: readonly JsonObject[]): number => {
  let marks = 0;
  for (const one of marked) marks += (isMarked(one) ? 1 : 0) + cacheMarksIn(partsOf(one));
  return marks;
};

/** The cache marks of all messages. */
export const cacheMarksOf = (messages: readonly AnthropicMessage[]): number =>
  messages.reduce((sum, { content }) => sum + cacheMarksIn(content), 0);

/**
 * Returns messages with at most `left` cache marks, the newest ones. Recorded sessions contain the marks of all their
 * requests.
 */
export const withFewCacheMarks = (
  messages: readonly AnthropicMessage[],
  left: number,
): readonly AnthropicMessage[] => {
  if (cacheMarksOf(messages) <= left) return messages;
  let rest = left;
  const unmarked = <Marked extends JsonObject>(one: Marked): Marked => {
    const parts = partsOf(one);
    const fewer =
      cacheMarksIn(parts) > rest ? { ...one, content: parts.toReversed().map(unmarked).toReversed() } : one;
    if (fewer === one) rest -= cacheMarksIn(parts);
    if (!isMarked(one)) return fewer;
    rest -= 1;
    if (rest >= 0) return fewer;
    const { cache_control: _, ...without } = fewer;
    return without as unknown as Marked; // TypeScript knows no generic rest without a member that may not be there.
  };
  return messages
    .toReversed()
    .map((message) => ({
      ...message,
      content: message.content
        .toReversed()
        .map((block): Block => unmarked(block))
        .toReversed(),
    }))
    .toReversed();
};

const isMarked = ({ cache_control: mark }: JsonObject): boolean => mark !== undefined && mark !== null;
const partsOf = ({ content }: JsonObject): readonly JsonObject[] =>
  Array.isArray(content) ? content.filter(isJsonObject) : NONE;
const NONE: readonly JsonObject[] = [];

/** A message of Anthropic's API. */
export type AnthropicMessage = { readonly role: 'user' | 'assistant'; readonly content: readonly Block[] };
