import {
  answerRoom,
  type CommandOf,
  type ComposedRequest,
  compose,
  countNotes,
  type LadderPolicy,
  type Manifest,
  manifestOf,
  maxOutputOf,
  type OpenSession,
  planRequest,
  type RequestWishes,
  shortenManifest,
  type WireFormat,
  withContributed,
} from '@app/domain';
import { jsonPieces, type Revision, type Tokens } from '@app/kernel';
import { partDigests } from '../../requests/request-parts.js';
import { requestIdAt } from '../../sessions/ids.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Contributions } from './collect-contributions.js';

/** A draft of the next request, and the command that decides whether it may be sent. */
export type Draft = {
  readonly request: ComposedRequest['request'];
  readonly parts: ComposedRequest['parts'];
  readonly command: CommandOf<'ComposeRequest'>;
  /** Tokens available for the answer; `undefined` in an unlimited window. */
  readonly room: Tokens | undefined;
};
export type DraftOptions = {
  readonly format: WireFormat;
  readonly override?: { readonly reason: string };
  /** Overrides the profile's `ladder` for this request. */
  readonly ladder?: LadderPolicy;
};

/**
 * Composes the draft of the next request, on the ladder rung that it needs.
 *
 * @param digestOf returns the SHA-256 of the request's JSON text, hexadecimal.
 */
export const draftRequest = async (
  ref: SessionRef,
  session: OpenSession,
  revision: Revision,
  { format, override, ladder }: DraftOptions,
  contributions: Contributions,
  digestOf: (request: ComposedRequest['request']) => Promise<string>,
): Promise<Draft> => {
  const { given, sizes, failedProviders } = contributions;
  const wishes = { isOverridden: override !== undefined, ladder };
  const { manifest, room } = draftManifest(session, contributions, wishes);
  const { request, notes, parts } = compose(manifest, format);
  return {
    request,
    parts,
    room,
    command: {
      type: 'ComposeRequest',
      data: {
        sessionId: ref.session,
        requestId: requestIdAt(ref.session, revision),
        format,
        revision,
        notes: countNotes(notes),
        digest: await digestOf(request),
        ...{
          parts: partDigests(session, given),
          contributions: sizes,
          failedProviders,
          maxOutput: manifest.maxOutput,
        },
        ...(override && { override }),
        ...(ladder && { ladder }),
      },
    },
  };
};

/** Writes the next request in a provider's format; returns its JSON text in pieces, and notes on lossy conversions. */
export const writeRequest = async (
  session: OpenSession,
  format: WireFormat,
  contributions: Pick<Contributions, 'texts' | 'tokens'>,
  wishes: RequestWishes,
): Promise<Pick<ComposedRequest, 'notes'> & { readonly pieces: readonly string[] }> => {
  const { request, notes } = compose(draftManifest(session, contributions, wishes).manifest, format);
  return { notes, pieces: await jsonPieces(request) };
};

/**
 * Returns the manifest of the next request, complete or on the ladder rung that it needs, and the tokens available for the answer:
 * `undefined` in an unlimited window.
 */
export const draftManifest = (
  session: OpenSession,
  { texts, tokens }: Pick<Contributions, 'texts' | 'tokens'>,
  wishes: RequestWishes,
): { readonly manifest: Manifest; readonly room: Tokens | undefined } => {
  const carried = withContributed(session, tokens);
  const plan = planRequest(carried, wishes);
  const whole = manifestOf(carried, texts);
  if (plan.kind !== 'shortened') return { manifest: whole, room: answerRoom(carried, plan.occupancy) };
  const { shortening } = plan;
  const { tokens: size } = shortening;
  const manifest = shortenManifest(whole, shortening, maxOutputOf(carried, size));
  return { manifest, room: answerRoom(carried, size) };
};

/** Returns the next request without size-related omissions, as JSON. */
export const wholeRequest = (
  session: OpenSession,
  format: WireFormat,
  texts: Contributions['texts'],
): string => JSON.stringify(compose(manifestOf(session, texts), format).request);
