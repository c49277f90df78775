import type { BudgetState, Message, Usage } from '@app/domain';
import { AppError, type CompactionId, type Tokens } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { inBatches } from '../../sessions/in-batches.js';
import { requireOpen } from '../../sessions/require-open.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import { AppendMessages } from '../append-messages.js';
import { CheckBudget } from '../check-budget.js';
import { CompleteTurn } from '../complete-turn.js';
import { knownOf, type MessageDraft, named } from './continuation.js';

export type Conversation = {
  readonly messages: readonly MessageDraft[];
  /** What the provider billed for the last answer of the model among them. */
  readonly usage?: Usage;
  /** Why the turn has ended, where it has. */
  readonly stopReason?: string;
};
export type ConversationAppended = {
  readonly appended: number;
  /** What the session had at its end already. */
  readonly known: number;
  readonly messages: number;
  readonly turn: number;
  readonly occupancy: Tokens;
  readonly window: Tokens;
  readonly state: BudgetState;
  /** The compaction that is asked for or under way: to be waited for before the next request. */
  readonly compactionId: CompactionId | null;
};

/** Appends what was said, whoever has said it, ends the turn where it has ended, and holds the next request to its budget. */
export class AppendConversation extends Command<ConversationAppended> {
  constructor(
    readonly ref: SessionRef,
    readonly conversation: Conversation,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(AppendConversation)
export class AppendConversationHandler implements ICommandHandler<AppendConversation> {
  constructor(
    private readonly sessions: SessionStore,
    private readonly log: EventLog,
    private readonly commands: { execute<Result>(command: Command<Result>): Promise<Result> },
  ) {}

  /** @throws {AppError} `session-not-found`, `session-closed`, `message-conflict`, `invalid-settings`, `append-too-large`. */
  async execute({ ref, conversation, caller }: AppendConversation): Promise<ConversationAppended> {
    const { messages, usage, stopReason } = conversation;
    if (usage && !messages.some(({ role }) => role === 'assistant')) {
      throw new AppError('invalid-settings', 'usage is billed for an answer of the model, and there is none');
    }
    // A request that was begun with before goes on from where it began, whoever has spoken since.
    const origin = await this.sessions.revisionBefore(ref, 'AppendMessages', caller);
    const before = requireOpen(ref, (await this.sessions.load(ref, origin)).state);
    const known = await knownOf(this.log, ref, messages, origin);
    const news = messages.slice(known).map((draft, at) => named(draft, before.messages + at));
    const appended = await this.append(ref, news, caller, usage && { usage, model: before.model });
    if (stopReason !== undefined) await this.commands.execute(new CompleteTurn(ref, stopReason, caller));

    const { occupancy, state, compactionId } = await this.commands.execute(new CheckBudget(ref, caller));
    const { messages: count, turn, limits } = requireOpen(ref, (await this.sessions.load(ref)).state);
    return {
      appended,
      known,
      messages: count,
      turn,
      occupancy,
      window: limits.window,
      state,
      compactionId: compactionId ?? null,
    };
  }

  private async append(
    ref: SessionRef,
    news: readonly Message[],
    caller: Caller,
    bill: { readonly usage: Usage; readonly model: string } | undefined,
  ): Promise<number> {
    const answer = news.findLast(({ role }) => role === 'assistant');
    let appended = 0;
    // At least once: a session that is closed says so, whatever is known of it.
    for (const batch of news.length === 0 ? [[]] : inBatches(news)) {
      const billed =
        bill && answer && batch.includes(answer)
          ? {
              usage: bill.usage,
              model: answer.model ?? bill.model,
              outcome: 'completed' as const,
              source: 'reported' as const,
              messageId: answer.id,
            }
          : undefined;
      const done = await this.commands.execute(new AppendMessages(ref, batch, caller, billed));
      appended += done.appended;
    }
    return appended;
  }
}
