import type { CommandOf, Message, RequestBill, SessionState } from '@app/domain';
import { type MessageId, type Revision, weightOf } from '@app/kernel';
import type { TokenCounter } from '@app/ports';
import { Command } from '../command-and-query.js';
import { Handler, HandlesCommand } from '../handlers.js';
import { counterForMessages, countMessage } from '../sessions/count-message.js';
import { earlierRequest } from '../sessions/earlier-request.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller } from '../sessions/session-store.js';
import { requirePredecessor } from './messages/continuation.js';
import { type PricedBill, pricedBill } from './priced-bill.js';

export type Appended = { readonly revision: Revision | undefined; readonly appended: number };

/** Appends messages in order, all or none, with the bill of the last one. Repeating the command records nothing. */
export class AppendMessages extends Command<Appended> {
  constructor(
    readonly ref: SessionRef,
    readonly messages: readonly Message[],
    readonly caller: Caller,
    readonly usage?: RequestBill,
    readonly after?: MessageId | null,
  ) {
    super();
  }
}

@HandlesCommand(AppendMessages)
export class AppendMessagesHandler extends Handler<
  AppendMessages,
  'sessions' | 'counter' | 'models' | 'clock' | 'log'
> {
  /** @throws {AppError} `session-not-found`, `message-conflict`, `append-too-large`, `request-not-found`, `revision-mismatch`. */
  async execute({ ref, messages, caller, usage, after }: AppendMessages): Promise<Appended> {
    const { models, clock, log } = this.parts;
    const bill = usage && (await pricedBill({ models, clock }, ref, usage, messages));
    const append = await appendAhead(ref, messages, this.parts.counter, bill);
    const make = async (state: SessionState, revision: Revision | undefined) => {
      if (after !== undefined && state.status === 'open' && revision !== undefined)
        await requirePredecessor(log, ref, { after, messages }, { session: state, revision });
      return withEarlier(append, await earlierRequest(log, ref, state, usage?.requestId));
    };
    const isPlain = usage?.requestId === undefined && after === undefined;
    const command = isPlain ? append : { called: append.type, make };
    const { revision, events } = await this.parts.sessions.execute(ref, command, caller);
    return { revision, appended: events.filter((event) => event.type === 'MessageAppended').length };
  }
}

/** Returns the command, for a decision together with other commands. */
export const appendOf = (
  { session }: SessionRef,
  messages: readonly Message[],
  counter: TokenCounter,
  bill?: PricedBill,
): CommandOf<'AppendMessages'> => {
  const counted = messages.map((message) => countMessage(counter, message));
  return { type: 'AppendMessages', data: { sessionId: session, messages: counted, ...bill } };
};

/** Returns the command like {@link appendOf}, but counts large messages in slices off the event loop. */
export const appendAhead = async (
  ref: SessionRef,
  messages: readonly Message[],
  counter: TokenCounter,
  bill?: PricedBill,
): Promise<CommandOf<'AppendMessages'>> =>
  appendOf(ref, messages, await counterForMessages(counter, ref.tenant, messages), bill);

/** Adds to a command with a bill the recorded request that the bill names. */
export const withEarlier = <One extends { readonly data: object }>(
  command: One,
  earlier: 'billed' | 'unbilled' | undefined,
): One => (earlier ? { ...command, data: { ...command.data, earlierRequest: earlier } } : command);

/** Maximum bytes of one append. */
const BATCH_BYTES = 400_000;
export const BATCH_MESSAGES = 500;

/** Splits messages into batches for one append each. */
export const appendBatches = <Said extends Pick<Message, 'blocks'>>(messages: readonly Said[]): Said[][] => {
  const batches: Said[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    const weight = weightOf(message.blocks);
    if (size + weight > BATCH_BYTES || batches.at(-1)?.length === BATCH_MESSAGES) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(message);
    size += weight;
  }
  return batches;
};
