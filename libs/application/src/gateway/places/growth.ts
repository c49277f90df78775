import type { ClientRequest } from '@app/formats';

/** Number of the client's messages that a session has, and whether it ends with them. */
type Known = { readonly count: number; readonly isTip: boolean } | undefined;

/** Returns the index of the first message that the session or its fork lacks. */
export const firstNew = ({ messages, continues }: ClientRequest, known: Known): number => {
  if (!known) return 0;
  // A beginning without an answer is not matched: other conversations may start with the same words.
  const reply = messages.slice(0, known.count);
  const isAnswered = continues !== undefined || reply.some(({ role }) => role === 'assistant');
  return known.isTip || isAnswered ? known.count : 0;
};

/** Returns the bytes that a session or its fork will grow by. */
export const growthIn = (request: ClientRequest, known: Known): number => {
  const first = request.messages[firstNew(request, known)];
  if (!first) return 0;
  return request.items.slice(first.from).reduce((sum, item) => sum + bytesOf(item), 0);
};

/** Returns the size as JSON. */
export const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));
