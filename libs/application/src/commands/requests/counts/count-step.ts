import {
  carrying,
  isSizeInDoubt,
  type OpenSession,
  type SessionCommand,
  type SessionState,
} from '@app/domain';
import type { Revision, Tokens } from '@app/kernel';
import type { CommandFor } from '../../../sessions/decisions/command-for.js';
import type { Countable, RequestCounts } from './request-counts.js';

/** The request that a session would send with nothing left out; `undefined` where its provider does not count. */
export type WholeRequest = (session: OpenSession, revision: Revision) => Countable | undefined;

/** Has the next request of a session counted by its provider, where its policy says so and the estimate is in doubt. */
export const countStep = (counts: RequestCounts, contributed: Tokens, whole: WholeRequest): CommandFor => {
  // What is decided anew after a race is not asked about again.
  const asked = new Map<string, ReturnType<RequestCounts['count']>>();
  const make = async (
    session: SessionState,
    revision: Revision | undefined,
  ): Promise<SessionCommand | undefined> => {
    if (session.status !== 'open' || session.closed || revision === undefined) return undefined;
    if (!isSizeInDoubt(carrying(session, contributed))) return undefined;
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
