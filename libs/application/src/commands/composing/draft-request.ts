import {
  type ComposedRequest,
  carrying,
  compose,
  countNotes,
  type Manifest,
  manifestOf,
  type OpenSession,
  planRequest,
  type SessionCommand,
  shortenManifest,
  type WireFormat,
} from '@app/domain';
import type { Revision } from '@app/kernel';
import { partDigests, sha256 } from '../../requests/request-parts.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Contributions } from './contributing/collect-contributions.js';

/** A request as it would go out, and the command that asks whether it may. */
export type Draft = {
  readonly request: ComposedRequest['request'];
  readonly body: string;
  readonly command: SessionCommand;
};
export type DraftOptions = {
  readonly format: WireFormat;
  readonly override?: { readonly reason: string };
};

/** Composes what the session's next request would be, on the rung of the ladder that it needs. */
export const draftRequest = (
  ref: SessionRef,
  session: OpenSession,
  revision: Revision,
  { format, override }: DraftOptions,
  contributions: Contributions,
): Draft => {
  const { given, sizes, failedProviders } = contributions;
  const { request, notes, body } = writeRequest(session, format, contributions, override !== undefined);
  return {
    request,
    body,
    command: {
      type: 'ComposeRequest',
      data: {
        ...{ sessionId: ref.session, format, revision, notes: countNotes(notes), digest: sha256(body) },
        ...{ parts: partDigests(session, given), contributions: sizes, failedProviders },
        ...(override && { override }),
      },
    },
  };
};

/** Writes the next request in the form of a provider: its JSON text, and what writing it did beyond copying. */
export const writeRequest = (
  session: OpenSession,
  format: WireFormat,
  contributions: Pick<Contributions, 'texts' | 'tokens'>,
  isOverridden: boolean,
): Pick<ComposedRequest, 'request' | 'notes'> & { readonly body: string } => {
  const { request, notes } = compose(draftManifest(session, contributions, isOverridden), format);
  return { request, notes, body: JSON.stringify(request) };
};

/** Returns what the next request is written from: the whole session, or the rung of the ladder that it needs. */
export const draftManifest = (
  session: OpenSession,
  { texts, tokens }: Pick<Contributions, 'texts' | 'tokens'>,
  isOverridden: boolean,
): Manifest => {
  const plan = planRequest(carrying(session, tokens), isOverridden);
  const whole = manifestOf(session, texts);
  return plan.kind === 'shortened' ? shortenManifest(whole, plan.shortening) : whole;
};

/** The same with nothing left out for its size, as JSON. */
export const wholeRequest = (
  session: OpenSession,
  format: WireFormat,
  texts: Contributions['texts'],
): string => JSON.stringify(compose(manifestOf(session, texts), format).request);
