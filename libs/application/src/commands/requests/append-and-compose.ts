import {
  type AnthropicRequest,
  type ComposedRequest,
  type ReferencedMessage,
  referencesIn,
} from '@app/domain';
import { invariant, type Tokens } from '@app/kernel';
import type { ICommandHandler } from '@nestjs/cqrs';
import { type CommandExecutor, CommandOnSession } from '../../command-and-query.js';
import { HandlesCommand } from '../../handlers.js';
import { historyDigest } from '../../requests/history-digest.js';
import { bannerOf } from '../check-budget.js';
import {
  AppendConversation,
  appendSteps,
  type Conversation,
  isOneAppend,
  requireAnswer,
} from '../messages/append-conversation.js';
import type { AnswerWith, ComposeOptions } from './compose-request.js';
import { draftRequest, wholeRequest } from './draft-request.js';
import type { Drafting, RequestComposer } from './request-composer.js';

/** `answerRoom`: tokens available for the answer; absent in an unlimited window. */
type ByReference = { readonly messages: readonly ReferencedMessage[]; readonly answerRoom?: Tokens };
export type ReferencesAnswer = AnswerWith<ByReference>;

export type NewMessages = {
  readonly conversation: Conversation;
  readonly options: Omit<ComposeOptions, 'format'>;
};

/**
 * Appends messages and composes the next request, in one append. The answer refers to the messages of the session instead of
 * repeating them.
 */
export class AppendAndCompose extends CommandOnSession<NewMessages, ReferencesAnswer> {}

type Parts = Parameters<typeof appendSteps>[0] & {
  readonly commands: CommandExecutor;
  readonly composer: RequestComposer;
};

@HandlesCommand(AppendAndCompose)
export class AppendAndComposeHandler implements ICommandHandler<AppendAndCompose> {
  constructor(private readonly parts: Parts) {}

  /** @throws {AppError} those of `AppendConversation` and `ComposeRequest`. */
  async execute({
    ref,
    input: { conversation, options },
    caller,
  }: AppendAndCompose): Promise<ReferencesAnswer> {
    const { commands, composer, ...appending } = this.parts;
    requireAnswer(conversation);
    const isOne = isOneAppend(conversation);
    if (!isOne) await commands.execute(new AppendConversation(ref, conversation, caller));
    const format = 'anthropic';
    const draft: Drafting<ByReference> = async (session, revision, contributions) => {
      const wishes = { ...options, format } as const;
      const digestOf = (request: ComposedRequest['request']) =>
        historyDigest(ofAnthropic(request), session.entries[0]?.message);
      const drafted = await draftRequest(ref, session, revision, wishes, contributions, digestOf);
      const { request, parts, command, room } = drafted;
      const messages = referencesIn(ofAnthropic(request), parts, session);
      return { made: { messages, ...(room !== undefined && { answerRoom: room }) }, command };
    };
    const { verdict, session, made, facts } = await composer.compose(
      ref,
      options.contributions ?? [],
      {
        draft,
        whole: (now, { texts }) => ({
          tenant: ref.tenant,
          model: now.model,
          body: wholeRequest(now, format, texts),
        }),
        before: isOne ? appendSteps(appending, ref, conversation) : [],
      },
      caller,
    );
    if (verdict.type === 'RequestRefused') return { outcome: 'refused', ...verdict.data };
    const { subjects: _, ...data } = verdict.data;
    return { outcome: 'composed', ...data, banner: bannerOf(session, facts), ...made };
  }
}

const ofAnthropic = (request: ComposedRequest['request']): AnthropicRequest => {
  invariant('max_tokens' in request, 'the request has the form of Anthropic');
  return request;
};
