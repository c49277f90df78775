import { costOf, type Message, tokenizerOf, type UsageReported } from '@app/domain';
import type { Revision } from '@app/kernel';
import type { Clock, ModelRegistry, TokenCounter } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { countMessage } from '../sessions/count-message.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller, SessionStore } from '../sessions/session-store.js';

export type Appended = { readonly revision: Revision | undefined; readonly appended: number };

/** Records messages in order, all of them or none, and what was billed for the last. Repeating it changes nothing. */
export class AppendMessages extends Command<Appended> {
  constructor(
    readonly ref: SessionRef,
    readonly messages: readonly Message[],
    readonly caller: Caller,
    readonly usage?: UsageReported['data'],
  ) {
    super();
  }
}

@CommandHandler(AppendMessages)
export class AppendMessagesHandler implements ICommandHandler<AppendMessages> {
  constructor(
    private readonly sessions: SessionStore,
    private readonly counter: TokenCounter,
    private readonly models: ModelRegistry,
    private readonly clock: Clock,
  ) {}

  /** @throws {AppError} `session-not-found`, `message-conflict`, `append-too-large`. */
  async execute({ ref, messages, caller, usage }: AppendMessages): Promise<Appended> {
    const counted = messages.map((message) => countMessage(this.counter, message));
    const bill = usage && (await this.billed(ref, usage, messages));
    const data = { sessionId: ref.session, messages: counted, ...bill };
    const { revision, events } = await this.sessions.execute(ref, { type: 'AppendMessages', data }, caller);
    return { revision, appended: events.filter((event) => event.type === 'MessageAppended').length };
  }

  /** Priced as of when the answer was given, where a recording says when that was; otherwise as of now. */
  private async billed(
    ref: SessionRef,
    usage: UsageReported['data'],
    messages: readonly Message[],
  ): Promise<{ readonly usage: UsageReported['data']; readonly perThousand?: number }> {
    const catalog = await this.models.catalogFor(ref.tenant);
    const { createdAt } = messages.find(({ id }) => id === usage.messageId) ?? {};
    const cost = costOf(catalog, usage.model, usage.usage, createdAt ?? this.clock.now());
    const family = tokenizerOf(catalog, usage.model);
    return { usage: { ...usage, cost }, ...(family && { perThousand: family.perThousand }) };
  }
}
