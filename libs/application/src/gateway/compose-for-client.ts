import { createHash } from 'node:crypto';
import {
  answerRoom,
  carrying,
  countNotes,
  type LadderPolicy,
  type Manifest,
  manifestOf,
  maxOutputOf,
  type OpenSession,
  planRequest,
  type RequestComposed,
  type RequestRefused,
  shortenManifest,
  type WireFormat,
  type WireNote,
} from '@app/domain';
import type { OutputLimit } from '@app/formats';
import { Tokens } from '@app/kernel';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type BudgetBanner, bannerOf } from '../commands/composing/budget-banner.js';
import type { Countable } from '../commands/composing/counting/request-counts.js';
import { type Composing, type Drafting, RequestComposer } from '../commands/composing/request-composer.js';
import type { CommandFor } from '../sessions/deciding/command-for.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller } from '../sessions/session-store.js';

/** The request of a client, as its session has come to; a pure function of both. */
export type ClientWriter = (
  manifest: Manifest,
  session: OpenSession,
  limit?: OutputLimit,
) => { readonly body: string; readonly notes: readonly WireNote[]; readonly maxOutput?: number };
export type ClientComposeOptions = {
  readonly format: WireFormat;
  readonly write: ClientWriter;
  /** What is to be recorded first, in the same append. */
  readonly before: readonly CommandFor[];
  /** What the client has sent along that its provider counts by; absent where that is not asked. */
  readonly counting?: Countable['client'];
  /** Somebody's word that this one turn goes on although a compaction is required. */
  readonly override?: { readonly reason: string };
  /** In the place of the profile's `ladder`, for this request alone. */
  readonly ladder?: LadderPolicy;
};
export type ComposedForClient =
  | (RequestComposed['data'] & {
      readonly outcome: 'composed';
      readonly body: string;
      readonly banner: BudgetBanner | null;
    })
  | (RequestRefused['data'] & { readonly outcome: 'refused'; readonly banner: BudgetBanner | null });

/** Composes the next request of a session out of what a client sends, in the client's own words, or refuses it. */
export class ComposeForClient extends Command<ComposedForClient> {
  constructor(
    readonly ref: SessionRef,
    readonly options: ClientComposeOptions,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(ComposeForClient)
export class ComposeForClientHandler implements ICommandHandler<ComposeForClient> {
  private readonly composer: RequestComposer;

  /** @param parts those of the {@link RequestComposer}. */
  constructor(...parts: ConstructorParameters<typeof RequestComposer>) {
    this.composer = new RequestComposer(...parts);
  }

  /** @throws {AppError} `session-not-found`, `session-closed`, `invalid-settings`, `context-overflow`. */
  async execute({ ref, options, caller }: ComposeForClient): Promise<ComposedForClient> {
    const composing = {
      draft: draftOf(ref, options),
      whole: uncut(ref, options),
      before: options.before,
    };
    const { verdict, made, session, facts } = await this.composer.compose(ref, [], composing, caller);
    const banner = bannerOf(session, facts);
    if (verdict.type === 'RequestRefused') return { outcome: 'refused', ...verdict.data, banner };
    return { outcome: 'composed', ...verdict.data, body: made, banner };
  }
}

const draftOf =
  (ref: SessionRef, { format, write, override, ladder }: ClientComposeOptions): Drafting<string> =>
  (session, revision, { texts, sizes, tokens, failedProviders }) => {
    const carried = carrying(session, tokens);
    const plan = planRequest(carried, { isOverridden: override !== undefined, ladder });
    const size = plan.kind === 'shortened' ? plan.shortening.tokens : plan.occupancy;
    const whole = manifestOf(carried, texts);
    const manifest =
      plan.kind === 'shortened' ? shortenManifest(whole, plan.shortening, maxOutputOf(carried, size)) : whole;
    const room = answerRoom(carried, size);
    const limit = room === undefined ? undefined : { room, modelMax: session.limits.maxOutput };
    const { body, notes, maxOutput } = write(manifest, session, limit);
    const data = {
      ...{ sessionId: ref.session, format, revision, notes: countNotes(notes) },
      digest: createHash('sha256').update(body).digest('hex'),
      ...{ contributions: sizes, failedProviders },
      ...(maxOutput !== undefined && { maxOutput: Tokens(maxOutput) }),
      ...(override && { override }),
      ...(ladder && { ladder }),
    };
    return { made: body, command: { type: 'ComposeRequest', data } };
  };

const uncut =
  (ref: SessionRef, { format, counting, write }: ClientComposeOptions): Composing<string>['whole'] =>
  (session, { texts }) => {
    if (format !== 'anthropic' || !counting) return undefined;
    const { body } = write(manifestOf(session, texts), session);
    return { tenant: ref.tenant, model: session.model, body, client: counting };
  };
