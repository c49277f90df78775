import type { ConversationAppended } from '@app/contract';
import type { Message, RequestBill, SessionEvent, SessionState, Usage } from '@app/domain';
import { AppError, type RequestId, type Revision } from '@app/kernel';
import {
  canSummarize,
  type EventLog,
  type KeyedDigests,
  type SummarizerChoice,
  type TokenCounter,
} from '@app/ports';
import { type CommandExecutor, CommandOnSession } from '../../command-and-query.js';
import { Handler, HandlesCommand } from '../../handlers.js';
import { type CommandFor, checkBudgetCommand } from '../../sessions/decisions.js';
import { earlierRequest } from '../../sessions/earlier-request.js';
import { requireOpen, type SessionRef } from '../../sessions/session-ref.js';
import type { SessionStore } from '../../sessions/session-store.js';
import { AppendMessages, appendAhead, appendBatches, appendOf, withEarlier } from '../append-messages.js';

import { bannerOf, budgetOf, CheckBudget } from '../check-budget.js';

import { CompleteTurn } from '../complete-turn.js';
import { type BillPricing, pricedBill } from '../priced-bill.js';

import {
  Digests,
  knownOf,
  type MessageDraft,
  named,
  type Predecessor,
  requirePredecessor,
} from './continuation.js';

/** Usage that a provider billed; without `requestId`, for the last request before the answer. */
export type ReportedUsage = Usage & { readonly requestId?: RequestId };
export type Conversation = Predecessor & {
  readonly messages: readonly MessageDraft[];
  /** Usage of the last answer of the model among the messages. */
  readonly usage?: ReportedUsage;
  /** Why the turn ended; absent while it continues. */
  readonly stopReason?: string;
};

/** Appends messages of any role, ends the turn if it has ended, and checks the budget of the next request. */
export class AppendConversation extends CommandOnSession<Conversation, ConversationAppended> {}

export type ConversationParts = BillPricing & {
  readonly sessions: SessionStore;
  readonly log: EventLog;
  readonly commands: CommandExecutor;
  readonly counter: TokenCounter;
  readonly summarizers: SummarizerChoice;
  readonly keyed: KeyedDigests;
};

@HandlesCommand(AppendConversation)
export class AppendConversationHandler extends Handler<AppendConversation, never, ConversationParts> {
  /**
   * @throws {AppError} `session-not-found`, `session-closed`, `message-conflict`, `append-too-large`, `request-not-found`,
   *   `revision-mismatch`.
   */
  async execute(command: AppendConversation): Promise<ConversationAppended> {
    requireAnswer(command.input);
    return isOneAppend(command.input) ? this.atOnce(command) : this.inParts(command);
  }

  /** Appends everything at once. */
  private async atOnce({
    ref,
    input: conversation,
    caller,
  }: AppendConversation): Promise<ConversationAppended> {
    const { sessions, clock } = this.parts;
    let known = 0;
    const append = appendSteps(this.parts, ref, conversation, (count) => {
      known = count;
    });
    const steps = [...append, checkBudgetCommand(ref, clock)];
    const { state, events } = await sessions.executeAll(ref, steps, caller);
    return this.answerOf(ref, state, { appended: appendedIn(events), known });
  }

  /** Appends in batches; after an interruption, a repeated command continues behind the last batch. */
  private async inParts({
    ref,
    input: conversation,
    caller,
  }: AppendConversation): Promise<ConversationAppended> {
    const { sessions, log, commands, keyed } = this.parts;
    const { messages, stopReason } = conversation;
    // A repeated request continues from its first state, also after appends by other writers.
    const origin = await sessions.revisionBefore(ref, 'AppendMessages', caller);
    const { state: start, revision } = await sessions.load(ref, origin);
    const before = requireOpen(ref, start);
    const digests = new Digests(keyed, ref.tenant);
    const now = revision === undefined ? undefined : { session: before, revision };
    if (now) await requirePredecessor(log, ref, conversation, now, digests);
    const known = now ? await knownOf(log, ref, messages, now, digests) : 0;
    let appended = 0;
    let { after } = conversation;
    if (after !== undefined && known > 0) after = before.entries.at(-1)?.message.id ?? after;
    // At least once, so that a closed session is rejected even if all messages are known.
    const news = await named(messages.slice(known), before.messages, digests);
    for (const batch of news.length === 0 ? [[]] : appendBatches(news)) {
      const bill = billOf(conversation, news, before.model);
      const usage = batch.some(({ id }) => id === bill?.messageId) ? bill : undefined;
      const done = await commands.execute(new AppendMessages(ref, batch, caller, usage, after));
      appended += done.appended;
      if (after !== undefined) after = batch.at(-1)?.id ?? after;
    }
    if (stopReason !== undefined) await commands.execute(new CompleteTurn(ref, stopReason, caller));
    await commands.execute(new CheckBudget(ref, caller));
    const { state } = await sessions.load(ref);
    return this.answerOf(ref, state, { appended, known });
  }

  private async answerOf(
    ref: SessionRef,
    state: SessionState,
    counts: Pick<ConversationAppended, 'appended' | 'known'>,
  ): Promise<ConversationAppended> {
    const session = requireOpen(ref, state);
    const { compactionId, ...budget } = budgetOf(session);
    const { messages, turn, limits, profile, model } = session;
    const wish = { tenant: ref.tenant, profile, model };
    // Whether a summarizer is reachable only matters if there is something to remedy.
    const facts = {
      canSummarize: budget.state === 'normal' || (await canSummarize(this.parts.summarizers, wish)),
    };
    return {
      ...counts,
      messages,
      turn,
      window: limits.window,
      ...budget,
      compactionId: compactionId ?? null,
      banner: bannerOf(session, facts),
    };
  }
}

/** @throws {AppError} `invalid-settings` if a bill has no answer that it belongs to. */
export const requireAnswer = ({ messages, usage }: Conversation): void => {
  if (!usage || messages.some(({ role }) => role === 'assistant')) return;
  throw new AppError(
    'invalid-settings',
    'usage requires an answer of the model among the messages: append one, or report the usage separately',
  );
};

/** Whether the messages of a conversation fit into one append. */
export const isOneAppend = ({ messages }: Conversation): boolean => appendBatches(messages).length <= 1;

/**
 * Returns the commands that append a conversation and end its turn, for one append.
 *
 * @param onKnown is called with the number of messages that the session already ends with.
 */
export const appendSteps = (
  parts: Pick<ConversationParts, 'log' | 'counter' | 'models' | 'clock' | 'keyed'>,
  ref: SessionRef,
  conversation: Conversation,
  onKnown: (count: number) => void = () => {},
): readonly CommandFor[] => {
  const { log, counter, keyed } = parts;
  const { messages, stopReason } = conversation;
  const digests = new Digests(keyed, ref.tenant);
  const make = async (state: SessionState, revision: Revision | undefined) => {
    if (state.status !== 'open' || revision === undefined) return appendOf(ref, [], counter);
    const now = { session: state, revision };
    await requirePredecessor(log, ref, conversation, now, digests);
    const known = await knownOf(log, ref, messages, now, digests);
    onKnown(known);
    const news = await named(messages.slice(known), state.messages, digests);
    const bill = billOf(conversation, news, state.model);
    const priced = bill && (await pricedBill(parts, ref, bill, news));
    const append = await appendAhead(ref, news, counter, priced);
    return withEarlier(append, await earlierRequest(log, ref, state, bill?.requestId));
  };
  const end = {
    type: 'CompleteTurn',
    data: { sessionId: ref.session, stopReason: stopReason ?? '' },
  } as const;
  return [{ called: 'AppendMessages', make }, ...(stopReason === undefined ? [] : [end])];
};

/** Returns the bill with its answer; `undefined` if the answer is not among the new messages. */
const billOf = (
  { usage }: Conversation,
  news: readonly Message[],
  model: string,
): RequestBill | undefined => {
  const answer = news.findLast(({ role }) => role === 'assistant');
  if (!usage || !answer) return undefined;
  const { requestId, ...tokens } = usage;
  return {
    usage: tokens,
    ...(requestId !== undefined && { requestId }),
    model: answer.model ?? model,
    outcome: 'completed',
    source: 'reported',
    messageId: answer.id,
  };
};

const appendedIn = (events: readonly SessionEvent[]): number =>
  events.filter(({ type }) => type === 'MessageAppended').length;
