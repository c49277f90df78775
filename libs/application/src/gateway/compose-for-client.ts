import type { BudgetBanner } from '@app/contract';
import {
  type CommandOf,
  countNotes,
  type EventData,
  type LadderPolicy,
  manifestOf,
  type OpenSession,
  type RequestWishes,
  type WireNote,
} from '@app/domain';
import { type Client, clientFormOf, type Wire } from '@app/formats';
import { Tokens } from '@app/kernel';
import { CommandOnSession } from '../command-and-query.js';
import { bannerOf } from '../commands/check-budget.js';
import type { Contributions } from '../commands/requests/collect-contributions.js';
import type { Composing, Drafting } from '../commands/requests/request-composer.js';
import type { Countable } from '../commands/requests/request-counts.js';
import { Handler, HandlesCommand } from '../handlers.js';
import { bodyDigest, hashed, originOf, partDigests } from '../requests/request-parts.js';
import type { CommandFor } from '../sessions/decisions.js';
import { requestIdAt } from '../sessions/ids.js';
import type { SessionRef } from '../sessions/session-ref.js';
import { bodyForClient, manifestFor } from './body-for-client.js';
import { encodedBody, type GatewayCall } from './gateway-call.js';
import { write } from './write-request.js';

export type ClientComposeOptions = {
  readonly wire: Wire;
  /** The client's request, and the IDs of its messages in the session. */
  readonly client: Client & Pick<GatewayCall, 'body' | 'bytes'>;
  /** Called with the session that each draft is written from. */
  readonly onWritten?: (session: OpenSession) => void;
  /** Commands to execute first, in the same append. */
  readonly before: readonly CommandFor[];
  /** Credentials of the client for token counts of its provider; without them, no count is requested. */
  readonly counting?: Countable['client'];
  /** Permission to exceed the budget for this turn, although a compaction is required. */
  readonly override?: { readonly reason: string };
  /** Overrides the profile's `ladder` for this request. */
  readonly ladder?: LadderPolicy;
};
export type ComposedForClient =
  | (EventData<'RequestComposed'> & {
      readonly outcome: 'composed';
      /** In UTF-8. */
      readonly body: Buffer;
      readonly banner: BudgetBanner | null;
    })
  | (EventData<'RequestRefused'> & {
      readonly outcome: 'refused';
      readonly banner: BudgetBanner | null;
    });

/** Composes the next request of a session in the client's own form, or refuses it. */
export class ComposeForClient extends CommandOnSession<ClientComposeOptions, ComposedForClient> {}

@HandlesCommand(ComposeForClient)
export class ComposeForClientHandler extends Handler<ComposeForClient, 'composer'> {
  /** @throws {AppError} `session-not-found`, `session-closed`, `invalid-settings`, `context-overflow`. */
  async execute({ ref, input: options, caller }: ComposeForClient): Promise<ComposedForClient> {
    const { system, tools } = options.client.request;
    let written: Written | undefined;
    const composing: Composing<Buffer> = {
      draft: draftOf(ref, options, () => written),
      whole: uncut(ref, options),
      before: options.before,
      fixed: { systemPrompt: system, tools },
      form: (session, _, contributions) => {
        const form = formCommand(ref, session, options, contributions);
        written = form.written;
        return form.command;
      },
    };
    const { verdict, made, session, facts } = await this.parts.composer.compose(ref, [], composing, caller);
    const banner = bannerOf(session, facts);
    if (verdict.type === 'RequestRefused') return { outcome: 'refused', ...verdict.data, banner };
    const { subjects: _, ...data } = verdict.data;
    return { outcome: 'composed', ...data, body: made, banner };
  }
}

const wishesOf = ({ override, ladder }: ClientComposeOptions): RequestWishes => ({
  isOverridden: override !== undefined,
  ladder,
});

/** The body written for the newest form of the client, which a following draft of the same entries reuses. */
type Written = {
  readonly entries: OpenSession['entries'];
  readonly body: string;
  readonly notes: readonly WireNote[] | undefined;
  /** Maximum of output tokens in the body. */
  readonly maxOutput: number | undefined;
};

/** Returns the command that records the client's form, from which the exact body can be written again. */
const formCommand = (
  ref: SessionRef,
  session: OpenSession,
  options: ClientComposeOptions,
  contributions: Contributions,
): { readonly command: CommandOf<'ChangeClientForm'>; readonly written: Written } => {
  const { wire, client, onWritten } = options;
  const { manifest, limit } = manifestFor(session, contributions, wishesOf(options));
  const made = write(wire, client, manifest, session, { limit });
  onWritten?.(session);
  const { form, notes } = clientFormOf(wire, client, manifest, originOf(session), made, session.parts.client);
  const { format, before, separator, after, forms, literal } = form;
  const data = {
    sessionId: ref.session,
    format,
    separator,
    forms,
    ...{ before: hashed(before), after: hashed(after) },
    ...(literal !== undefined && { literal: hashed(literal) }),
  };
  const written = { entries: session.entries, body: made.body, notes, maxOutput: made.maxOutput };
  return { command: { type: 'ChangeClientForm', data }, written };
};

const draftOf =
  (
    ref: SessionRef,
    options: ClientComposeOptions,
    writtenLast: () => Written | undefined,
  ): Drafting<Buffer> =>
  async (session, revision, contributions) => {
    const { wire, override, ladder } = options;
    const { given, sizes, failedProviders } = contributions;
    const written = writtenLast();
    const { body, notes } =
      written?.notes && written.entries === session.entries
        ? { body: written.body, notes: written.notes }
        : bodyForClient(wire, session, contributions, wishesOf(options));
    const encoded = encodedBody(options.client, body);
    const longest = written?.maxOutput;
    const data = {
      sessionId: ref.session,
      requestId: requestIdAt(ref.session, revision),
      ...{ format: wire.name, revision, notes: countNotes(notes) },
      digest: await bodyDigest(encoded),
      parts: partDigests(session, given, session.parts.client),
      ...{ contributions: sizes, failedProviders },
      ...(longest !== undefined && { maxOutput: Tokens(longest) }),
      ...(override && { override }),
      ...(ladder && { ladder }),
    };
    return { made: encoded, command: { type: 'ComposeRequest', data } };
  };

const uncut =
  (ref: SessionRef, { wire, client, counting }: ClientComposeOptions): Composing<Buffer>['whole'] =>
  (session, { texts }) => {
    if (wire.name !== 'anthropic' || !counting) return undefined;
    const { body } = write(wire, client, manifestOf(session, texts), session);
    return { tenant: ref.tenant, model: session.model, body, client: counting };
  };
