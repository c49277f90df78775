import type { Json, JsonObject } from '@app/kernel';
import { type Faults, listOf, objectOf, unless } from './values.js';

/**
 * Returns reasoning of a request that its source does not contain in that order. `source` has the recorded reasoning
 * blocks as exact JSON. Omitted blocks are no fault; altered, reordered and repeated ones are.
 */
export const reasoningFaults = (body: unknown, source: readonly string[]): Faults => {
  let from = 0;
  return saidIn(objectOf(body)).flatMap((message, at) => [
    ...unless(
      !('reasoning_content' in message || 'reasoning' in message),
      `messages.${at}: reasoning member`,
    ),
    ...reasoningIn(message).flatMap((block) => {
      const found = source.findIndex((one, place) => place >= from && isSame(one, block));
      if (found < 0) return [`messages.${at}: reasoning that the source does not hold there`];
      from = found + 1;
      return [];
    }),
  ]);
};

/** Responses requests contain the recorded encrypted content, which has JSON within JSON. */
const isSame = (recorded: string, sent: Json): boolean => {
  if (typeof sent === 'string') return recorded === sent;
  const { signature } = objectOf(JSON.parse(recorded));
  const item = objectOf(
    typeof signature === 'string' && signature.startsWith('{') ? JSON.parse(signature) : {},
  );
  return item.encrypted_content !== undefined && item.encrypted_content === objectOf(sent).encrypted_content;
};

/** Returns the messages or items of a request. */
const saidIn = ({ messages, input }: JsonObject): readonly JsonObject[] =>
  input === undefined ? listOf(messages).map(objectOf) : listOf(input).map(objectOf);

const reasoningIn = (message: JsonObject): readonly Json[] => {
  if (message.type === 'reasoning') return [message];
  return listOf(message.content)
    .filter((block) => ['thinking', 'redacted_thinking'].includes(String(objectOf(block).type)))
    .map((block) => JSON.stringify(block));
};
