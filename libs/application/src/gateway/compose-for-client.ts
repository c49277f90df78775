import { createHash } from 'node:crypto';
import {
  carrying,
  countNotes,
  type Manifest,
  manifestOf,
  type OpenSession,
  planRequest,
  type RequestComposed,
  type RequestRefused,
  shortenManifest,
  type WireFormat,
  type WireNote,
} from '@app/domain';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Countable } from '../commands/composing/counting/request-counts.js';
import { type Composing, type Drafting, RequestComposer } from '../commands/composing/request-composer.js';
import type { CommandFor } from '../sessions/deciding/command-for.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller } from '../sessions/session-store.js';

/** The request of a client, as its session has come to; a pure function of both. */
export type ClientWriter = (
  manifest: Manifest,
  session: OpenSession,
) => { readonly body: string; readonly notes: readonly WireNote[] };
export type ClientComposeOptions = {
  readonly format: WireFormat;
  readonly write: ClientWriter;
  /** What is to be recorded first, in the same append. */
  readonly before: readonly CommandFor[];
  /** What the client has sent along that its provider counts by; absent where that is not asked. */
  readonly counting?: Countable['client'];
  /** Somebody's word that this one turn goes on although a compaction is required. */
  readonly override?: { readonly reason: string };
};
export type ComposedForClient =
  | (RequestComposed['data'] & { readonly outcome: 'composed'; readonly body: string })
  | (RequestRefused['data'] & { readonly outcome: 'refused' });

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
    const { verdict, made } = await this.composer.compose(ref, [], composing, caller);
    if (verdict.type === 'RequestRefused') return { outcome: 'refused', ...verdict.data };
    return { outcome: 'composed', ...verdict.data, body: made };
  }
}

const draftOf =
  (ref: SessionRef, { format, write, override }: ClientComposeOptions): Drafting<string> =>
  (session, revision, { texts, sizes, tokens, failedProviders }) => {
    const plan = planRequest(carrying(session, tokens), override !== undefined);
    const whole = manifestOf(session, texts);
    const manifest = plan.kind === 'shortened' ? shortenManifest(whole, plan.shortening) : whole;
    const { body, notes } = write(manifest, session);
    const data = {
      ...{ sessionId: ref.session, format, revision, notes: countNotes(notes) },
      digest: createHash('sha256').update(body).digest('hex'),
      ...{ contributions: sizes, failedProviders },
      ...(override && { override }),
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
