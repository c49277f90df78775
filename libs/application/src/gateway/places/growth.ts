import type { ClientRequest } from '@app/formats';

/** Of what a client has sent: how many messages a session has, and whether it ends with them. */
type Known = { readonly count: number; readonly isTip: boolean } | undefined;

/** The first message of a history that is new to the session, or the fork, that it goes to. */
export const firstNew = ({ messages, continues }: ClientRequest, known: Known): number => {
  if (!known) return 0;
  // A beginning that nobody has answered is no conversation yet: another one begins with the same words.
  const said = messages.slice(0, known.count);
  const isAnswered = continues !== undefined || said.some(({ role }) => role === 'assistant');
  return known.isTip || isAnswered ? known.count : 0;
};

/** Bytes that a session, or its fork, grows by. */
export const growthIn = (request: ClientRequest, known: Known): number => {
  const first = request.messages[firstNew(request, known)];
  if (!first) return 0;
  return request.items.slice(first.from).reduce((sum, item) => sum + bytesOf(item), 0);
};

/** As JSON. */
export const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));
