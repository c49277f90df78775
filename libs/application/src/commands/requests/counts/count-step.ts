import {
  isSizeInDoubt,
  type OpenSession,
  type SessionCommand,
  type SessionState,
  withContributed,
} from '@app/domain';
import type { Revision, Tokens } from '@app/kernel';
import type { CommandFor } from '../../../sessions/decisions/command-for.js';
import type { Countable, RequestCounts } from './request-counts.js';

/** Returns the session's next request without size-related omissions; `undefined` if its provider has no token count. */
export type WholeRequest = (session: OpenSession, revision: Revision) => Countable | undefined;

/** Asks the provider to count the next request, if the policy wants it and the estimate is uncertain. */
export const countStep = (counts: RequestCounts, contributed: Tokens, whole: WholeRequest): CommandFor => {
  // A retry after a conflict reuses the count.
  const asked = new Map<string, ReturnType<RequestCounts['count']>>();
  const make = async (
    session: SessionState,
    revision: Revision | undefined,
  ): Promise<SessionCommand | undefined> => {
    if (session.status !== 'open' || session.closed || revision === undefined) return undefined;
    if (!isSizeInDoubt(withContributed(session, contributed))) return undefined;
    const request = whole(session, revision);
    if (!request) return undefined;
    const known = asked.get(request.body) ?? counts.count(request);
    asked.set(request.body, known);
    const answer = await known;
    const sessionId = session.opened.sessionId;
    return answer && { type: 'CountRequest', data: { sessionId, contributed, answer } };
  };
  return { called: 'CountRequest', make };
};
