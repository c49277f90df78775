import { createHash } from 'node:crypto';
import {
  type ComposedRequest,
  carrying,
  compose,
  countNotes,
  manifestOf,
  type OpenSession,
  planRequest,
  type SessionCommand,
  shortenManifest,
  type WireFormat,
} from '@app/domain';
import type { Revision } from '@app/kernel';
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
  { texts, sizes, tokens, failedProviders }: Contributions,
): Draft => {
  const plan = planRequest(carrying(session, tokens), override !== undefined);
  const whole = manifestOf(session, texts);
  const manifest = plan.kind === 'shortened' ? shortenManifest(whole, plan.shortening) : whole;
  const { request, notes } = compose(manifest, format);
  const body = JSON.stringify(request);
  const digest = createHash('sha256').update(body).digest('hex');
  return {
    request,
    body,
    command: {
      type: 'ComposeRequest',
      data: {
        ...{ sessionId: ref.session, format, revision, notes: countNotes(notes), digest },
        ...{ contributions: sizes, failedProviders },
        ...(override && { override }),
      },
    },
  };
};

/** The same with nothing left out for its size, as JSON. */
export const wholeRequest = (
  session: OpenSession,
  format: WireFormat,
  texts: Contributions['texts'],
): string => JSON.stringify(compose(manifestOf(session, texts), format).request);
