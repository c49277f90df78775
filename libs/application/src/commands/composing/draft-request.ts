import { createHash } from 'node:crypto';
import {
  type ComposedRequest,
  type ComposeRequestCommand,
  carrying,
  compose,
  countNotes,
  type LadderPolicy,
  manifestOf,
  maxOutputOf,
  type OpenSession,
  planRequest,
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
  readonly command: ComposeRequestCommand;
};
export type DraftOptions = {
  readonly format: WireFormat;
  readonly override?: { readonly reason: string };
  /** In the place of the profile's `ladder`, for this request alone. */
  readonly ladder?: LadderPolicy;
};

/** Composes what the session's next request would be, on the rung of the ladder that it needs. */
export const draftRequest = (
  ref: SessionRef,
  session: OpenSession,
  revision: Revision,
  { format, override, ladder }: DraftOptions,
  { texts, sizes, tokens, failedProviders }: Contributions,
): Draft => {
  const carried = carrying(session, tokens);
  const plan = planRequest(carried, { isOverridden: override !== undefined, ladder });
  const whole = manifestOf(carried, texts);
  const manifest =
    plan.kind === 'shortened'
      ? shortenManifest(whole, plan.shortening, maxOutputOf(carried, plan.shortening.tokens))
      : whole;
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
        ...{ contributions: sizes, failedProviders, maxOutput: manifest.maxOutput },
        ...(override && { override }),
        ...(ladder && { ladder }),
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
