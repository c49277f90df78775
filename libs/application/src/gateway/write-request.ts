import type { CommandOf, Manifest, Message, OpenSession, SessionState } from '@app/domain';
import { type Client, type OutputLimit, type Wire, type WireBody, writeBody } from '@app/formats';
import type { MessageId, Revision } from '@app/kernel';
import type { TokenCounter } from '@app/ports';
import { appendAhead } from '../commands/append-messages.js';
import { originOf } from '../requests/request-parts.js';
import type { CommandFor } from '../sessions/decisions.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { GatewayCall } from './gateway-call.js';
import { changedMeanwhile, type Placement } from './places/session-router.js';
import { isRecalling } from './recall-calls.js';

/** Maximum attempts to route a history, if other requests are recorded first. */
export const ROUTE_ATTEMPTS = 3;

/** Where a session must be for an append: its number of messages, and its revision if that is given. */
type Place = { readonly messages: number; readonly revision?: Revision | undefined };

/** Appends to a session at a place. @throws {AppError} `message-conflict` if it is at another. */
export const appendAt = (
  { messages, revision }: Place,
  ref: SessionRef,
  make: (state: SessionState) => CommandOf<'AppendMessages'> | Promise<CommandOf<'AppendMessages'>>,
): CommandFor => ({
  called: 'AppendMessages',
  make: (state, at) => {
    const isThere =
      (state.status !== 'open' || state.messages === messages) && (revision === undefined || revision === at);
    if (isThere) return make(state);
    throw changedMeanwhile(ref);
  },
});

/**
 * Appends the new messages to the state that the history was routed by. Also checks that state without new messages: after
 * another answer, the request would end with that answer.
 */
export const appendHistory = (
  counter: TokenCounter,
  { ref, messages, newMessages, cachedAt }: Placement,
): readonly CommandFor[] => [
  appendAt({ messages: messages - newMessages.length, revision: cachedAt }, ref, () =>
    appendAhead(ref, newMessages, counter),
  ),
];

/** Returns the ID of a message by its index. */
export const idAt = (ids: readonly MessageId[], at: number): MessageId => {
  const id = ids[at];
  if (id === undefined) throw new RangeError(`a history of ${ids.length} messages has none at ${at}`);
  return id;
};

/** Writes a client's request with the history of the session; `newMessages` are not in the session yet. */
export const write = (
  wire: Wire,
  client: Client & Pick<GatewayCall, 'body'>,
  manifest: Manifest,
  session: OpenSession,
  {
    limit,
    newMessages = [],
  }: { readonly limit?: OutputLimit | undefined; readonly newMessages?: readonly Message[] } = {},
): WireBody => {
  const tool = isRecalling(wire, client.request, client.body, session) ? wire.recall.tool : undefined;
  return writeBody(wire, client, manifest, originOf(session, newMessages), { limit, tool });
};
