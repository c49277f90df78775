import type { BudgetBanner } from '@app/contract';
import type {
  ComposedRequest,
  Contribution,
  EventData,
  LadderPolicy,
  OpenSession,
  WireFormat,
} from '@app/domain';
import { jsonPieces, keepJsonText } from '@app/kernel';
import { CommandOnSession } from '../../command-and-query.js';
import { Handler, HandlesCommand } from '../../handlers.js';
import { piecesDigest } from '../../requests/request-parts.js';
import { bannerOf } from '../check-budget.js';
import type { Contributions } from './collect-contributions.js';
import { type Draft, draftRequest, wholeRequest } from './draft-request.js';
import type { Drafting } from './request-composer.js';
import type { Countable } from './request-counts.js';

/** The recorded event of a composed request, with what is sent of it, or of a refused one. */
export type AnswerWith<Sent> =
  | (EventData<'RequestComposed'> &
      Sent & {
        readonly outcome: 'composed';
        /** `null` in the state `normal` without notes. */
        readonly banner: BudgetBanner | null;
      })
  | (EventData<'RequestRefused'> & { readonly outcome: 'refused' });

export type ComposeAnswer = AnswerWith<{
  readonly request: ComposedRequest['request'];
  /** The exact JSON text that the digest covers, if it was asked for; send it unchanged. */
  readonly body?: string;
}>;

export type ComposeOptions = {
  readonly format: WireFormat;
  /** Permission to exceed the budget for this turn, although a compaction is required. */
  readonly override?: { readonly reason: string };
  /** Overrides the profile's `ladder` for this request; `off` returns the error. */
  readonly ladder?: LadderPolicy;
  /** Contributions for this request alone, after those of the context providers. */
  readonly contributions?: readonly Contribution[];
  /** Whether the answer has the exact text of the request, too; by default `false`. */
  readonly withBody?: boolean;
};

/** Composes the next request of a session, or refuses it. Send it before each model call. */
export class ComposeRequest extends CommandOnSession<ComposeOptions, ComposeAnswer> {}

@HandlesCommand(ComposeRequest)
export class ComposeRequestHandler extends Handler<ComposeRequest, 'composer'> {
  /** @throws {AppError} `session-not-found`, `session-closed`, `invalid-settings`, `context-overflow`. */
  async execute({ ref, input: options, caller }: ComposeRequest): Promise<ComposeAnswer> {
    const draft: Drafting<{ request: Draft['request']; body: string }> = async (
      ...[session, revision, more]
    ) => {
      let body = '';
      const digestOf = async (composed: Draft['request']): Promise<string> => {
        const pieces = await jsonPieces(composed);
        body = pieces.join('');
        return piecesDigest(pieces);
      };
      const { request, command } = await draftRequest(ref, session, revision, options, more, digestOf);
      return { made: { request, body }, command };
    };
    const { format } = options;
    const whole = (session: OpenSession, { texts }: Contributions): Countable | undefined =>
      format === 'anthropic'
        ? { tenant: ref.tenant, model: session.model, body: wholeRequest(session, format, texts) }
        : undefined;
    const given = options.contributions ?? [];
    const composed = await this.parts.composer.compose(ref, given, { draft, whole }, caller);
    const { verdict, session, made, facts } = composed;
    if (verdict.type === 'RequestRefused') return { outcome: 'refused', ...verdict.data };
    const { request, body } = made;
    keepJsonText(request, body);
    const { subjects: _, ...data } = verdict.data;
    return {
      outcome: 'composed',
      ...data,
      banner: bannerOf(session, facts),
      request,
      ...(options.withBody && { body }),
    };
  }
}
