import type { JsonObject } from '@app/kernel';
import { type Faults, listOf, objectOf, unless } from './values.js';

/**
 * Reasoning that a request holds and its source does not, in that order: `source` are the reasoning blocks of the
 * recorded session, as JSON, each byte as it was. Whatever is left out is no fault; a block that is altered, moved
 * before another or repeated is.
 */
export const reasoningFaults = (body: unknown, source: readonly string[]): Faults => {
  let from = 0;
  return listOf(objectOf(body).messages)
    .map(objectOf)
    .flatMap((message, at) => [
      ...unless(
        !('reasoning_content' in message || 'reasoning' in message),
        `messages.${at}: reasoning member`,
      ),
      ...reasoningIn(message).flatMap((block) => {
        const found = source.indexOf(block, from);
        if (found < 0) return [`messages.${at}: reasoning that the source does not hold there`];
        from = found + 1;
        return [];
      }),
    ]);
};

const reasoningIn = ({ content }: JsonObject): readonly string[] =>
  listOf(content)
    .filter((block) => ['thinking', 'redacted_thinking'].includes(String(objectOf(block).type)))
    .map((block) => JSON.stringify(block));
