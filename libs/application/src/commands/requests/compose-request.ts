import type {
  ComposedRequest,
  Contribution,
  LadderPolicy,
  OpenSession,
  RequestComposed,
  RequestRefused,
  WireFormat,
} from '@app/domain';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller } from '../../sessions/session-store.js';
import { type BudgetBanner, bannerOf } from './budget-banner.js';
import type { Contributions } from './contributions/collect-contributions.js';
import type { Countable } from './counts/request-counts.js';
import { type Draft, draftRequest, wholeRequest } from './draft-request.js';
import { type Drafting, RequestComposer } from './request-composer.js';

export type ComposeAnswer =
  | (RequestComposed['data'] & {
      readonly outcome: 'composed';
      /** `null` while there is nothing to tell. */
      readonly banner: BudgetBanner | null;
      readonly request: ComposedRequest['request'];
      /** The request as it was digested: to be sent as it is. */
      readonly body: string;
    })
  | (RequestRefused['data'] & { readonly outcome: 'refused' });

export type ComposeOptions = {
  readonly format: WireFormat;
  /** Somebody's word that this one turn goes on although a compaction is required. */
  readonly override?: { readonly reason: string };
  /** In the place of the profile's `ladder`, for this request alone: `off` answers with the error. */
  readonly ladder?: LadderPolicy;
  /** What this one request carries besides the session, behind what the context providers of this process give. */
  readonly contributions?: readonly Contribution[];
};

/** Composes the next request of a session, or refuses it: to be asked before every model call. */
export class ComposeRequest extends Command<ComposeAnswer> {
  constructor(
    readonly ref: SessionRef,
    readonly options: ComposeOptions,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(ComposeRequest)
export class ComposeRequestHandler implements ICommandHandler<ComposeRequest> {
  private readonly composer: RequestComposer;

  /** @param parts those of the {@link RequestComposer}. */
  constructor(...parts: ConstructorParameters<typeof RequestComposer>) {
    this.composer = new RequestComposer(...parts);
  }

  /** @throws {AppError} `session-not-found`, `session-closed`, `invalid-settings`, `context-overflow`. */
  async execute({ ref, options, caller }: ComposeRequest): Promise<ComposeAnswer> {
    const draft: Drafting<Draft> = async (...session) => {
      const made = await draftRequest(ref, session[0], session[1], options, session[2]);
      return { made, command: made.command };
    };
    const { format } = options;
    const whole = (session: OpenSession, { texts }: Contributions): Countable | undefined =>
      format === 'anthropic'
        ? { tenant: ref.tenant, model: session.model, body: wholeRequest(session, format, texts) }
        : undefined;
    const given = options.contributions ?? [];
    const composed = await this.composer.compose(ref, given, { draft, whole }, caller);
    const { verdict, session, made, facts } = composed;
    if (verdict.type === 'RequestRefused') return { outcome: 'refused', ...verdict.data };
    const { request, body } = made;
    return { outcome: 'composed', ...verdict.data, banner: bannerOf(session, facts), request, body };
  }
}
