import type { OpenSession, RequestWishes, WireNote } from '@app/domain';
import { bodyOfForm, type Wire } from '@app/formats';
import { invariant } from '@app/kernel';
import type { Contributions } from '../commands/requests/collect-contributions.js';
import { draftManifest } from '../commands/requests/draft-request.js';
import { originOf } from '../requests/request-parts.js';

/** Returns the manifest of a client's request, on the ladder rung that it needs. */
export const manifestFor = (
  session: OpenSession,
  contributions: Pick<Contributions, 'texts' | 'tokens'>,
  wishes: RequestWishes,
) => {
  const { manifest, room } = draftManifest(session, contributions, wishes);
  return { manifest, limit: room === undefined ? undefined : { room, modelMax: session.limits.maxOutput } };
};

/** Writes the body of a client's request from the session alone, in which the client's form is recorded. */
export const bodyForClient = (
  wire: Wire,
  session: OpenSession,
  contributions: Pick<Contributions, 'texts' | 'tokens'>,
  wishes: RequestWishes,
): { readonly body: string; readonly notes: readonly WireNote[] } => {
  const form = session.parts.client;
  invariant(form, 'how a client writes its requests is recorded before any of them is composed');
  return bodyOfForm(wire, form, manifestFor(session, contributions, wishes).manifest, originOf(session));
};
