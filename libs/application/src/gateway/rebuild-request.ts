import type { Contribution, OpenSession, WireNote } from '@app/domain';
import { wireOf } from '@app/formats';
import { sumTokens } from '@app/kernel';
import { contributedText } from '../commands/requests/collect-contributions.js';
import { writeRequest } from '../commands/requests/draft-request.js';
import { bodyDigest } from '../requests/request-parts.js';
import type { FoundRequest } from '../sessions/earlier-request.js';
import { bodyForClient } from './body-for-client.js';

export type RebuiltRequest = {
  /** The exact JSON text. */
  readonly body: string;
  readonly notes: readonly WireNote[];
  /** Whether the SHA-256 of the body equals that of the recorded request. */
  readonly digestMatches: boolean;
};

/**
 * Writes a recorded request again from the session as of its revision. With changed rules of composition, the body may differ,
 * and its digest does not match.
 */
export const rebuildRequest = async (
  session: OpenSession,
  { composed, isOverridden }: FoundRequest,
): Promise<RebuiltRequest> => {
  const sizes = composed.contributions ?? [];
  const given: readonly Contribution[] = sizes.length > 0 ? session.parts.contributions : [];
  const carried = {
    texts: given.map(contributedText),
    tokens: sumTokens(sizes.map(({ tokens }) => tokens)),
  };
  const wishes = { isOverridden, ladder: composed.ladderOption };
  const { body, notes } =
    composed.parts.client === undefined
      ? await composedBody(session, composed.format, carried, wishes)
      : bodyForClient(wireOf(composed.format), session, carried, wishes);
  return { body, notes, digestMatches: (await bodyDigest(body)) === composed.digest };
};

const composedBody = async (
  ...request: Parameters<typeof writeRequest>
): Promise<Pick<RebuiltRequest, 'body' | 'notes'>> => {
  const { pieces, notes } = await writeRequest(...request);
  return { body: pieces.join(''), notes };
};
