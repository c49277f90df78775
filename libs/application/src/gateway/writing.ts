import type { AppendMessagesCommand, Manifest, Message, OpenSession, SessionState } from '@app/domain';
import { type Client, type OutputLimit, type Wire, type WireBody, withTool, writeBody } from '@app/formats';
import { AppError, type MessageId } from '@app/kernel';
import type { TokenCounter } from '@app/ports';
import { appendAhead } from '../commands/append-messages.js';
import { originOf } from '../requests/origin.js';
import type { CommandFor } from '../sessions/decisions/command-for.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { GatewayCall } from './gateway-call.js';
import type { Placed } from './places/places.js';
import { isRecalling } from './recall-calls.js';

/** So often something is placed anew, where others are faster. */
export const PLACES_TRIED = 3;

/** An append to a session of so many messages. @throws {AppError} `message-conflict` where it has others by then. */
export const appendingAt = (
  messages: number,
  { session }: SessionRef,
  make: (state: SessionState) => AppendMessagesCommand | Promise<AppendMessagesCommand>,
): CommandFor => ({
  called: 'AppendMessages',
  make: (state) => {
    if (state.status !== 'open' || state.messages === messages) return make(state);
    throw new AppError('message-conflict', `session "${session}" has gone on otherwise`);
  },
});

/**
 * The history as far as it is new, on the very state that it was placed by. Where nothing is new the session has to be as it
 * was all the same: with another's answer in it, the request would end with that.
 */
export const appending = (counter: TokenCounter, { ref, messages, news }: Placed): readonly CommandFor[] => [
  appendingAt(messages - news.length, ref, () => appendAhead(ref, news, counter)),
];

/** The name of a message by its place. */
export const idAt = (ids: readonly MessageId[], at: number): MessageId => {
  const id = ids[at];
  if (id === undefined) throw new RangeError(`a history of ${ids.length} messages has none at ${at}`);
  return id;
};

/** The request of a client with the history that a session has come to; `news` are not in the session yet. */
export const write = (
  wire: Wire,
  client: Client & Pick<GatewayCall, 'body'>,
  manifest: Manifest,
  session: OpenSession,
  { limit, news = [] }: { readonly limit?: OutputLimit | undefined; readonly news?: readonly Message[] } = {},
): WireBody => {
  const written = writeBody(wire, client, manifest, originOf(session, news), limit);
  if (!isRecalling(wire, client.request, client.body, session)) return written;
  return { ...written, body: withTool(written.body, wire.recall.tool), isUntouched: false };
};
