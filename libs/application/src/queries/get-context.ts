import type { ContextView } from '@app/contract';
import {
  budgetState,
  compose,
  manifestOf,
  type OpenSession,
  occupancy,
  retentionInForce,
  type WireFormat,
} from '@app/domain';
import { type AsOf, invariant, isJsonObject, isRequestId, type Json } from '@app/kernel';
import { Query } from '../command-and-query.js';
import { rebuildRequest } from '../gateway/rebuild-request.js';
import { Handler, HandlesQuery } from '../handlers.js';
import { requireOpen, type SessionRef } from '../sessions/session-ref.js';

/**
 * Returns the request of the session's next model call, now or as of a revision or time; or, as of the ID of a request, that
 * exact request. Records nothing.
 */
export class GetContext extends Query<ContextView> {
  constructor(
    readonly ref: SessionRef,
    /** Ignored for the ID of a request, which has its own format. */
    readonly format: WireFormat,
    readonly asOf?: AsOf,
  ) {
    super();
  }
}

@HandlesQuery(GetContext)
export class GetContextHandler extends Handler<GetContext, 'sessions'> {
  /** @throws {AppError} `session-not-found`, `revision-not-found`, `request-not-found`. */
  async execute({ ref, format, asOf }: GetContext): Promise<ContextView> {
    const { state, revision } = await this.parts.sessions.loadAsOf(ref, asOf);
    const session = requireOpen(ref, state);
    invariant(revision !== undefined, 'an open session has a revision');
    if (asOf === undefined || !isRequestId(asOf)) {
      const none = { requestId: null, digestMatches: null, body: null };
      const { parts: _, ...composed } = compose(manifestOf(session), format);
      return { ...composed, ...none, ...standingOf(session, composed), revision };
    }
    const found = await this.parts.sessions.request(ref, asOf);
    const { body, notes, digestMatches } = await rebuildRequest(session, found);
    const request: Json = JSON.parse(body);
    invariant(isJsonObject(request), 'a request is a JSON object');
    const named = { requestId: asOf, digestMatches, body };
    const sent = { format: found.composed.format, notes };
    return { ...sent, request, violations: [], ...named, ...standingOf(session, sent), revision };
  }
}

const standingOf = (
  session: OpenSession,
  composed: Pick<ContextView, 'format' | 'notes'>,
): Omit<
  ContextView,
  'format' | 'notes' | 'violations' | 'request' | 'requestId' | 'digestMatches' | 'body' | 'revision'
> => {
  const tokens = occupancy(session);
  return {
    systemPrompt: session.parts.systemPrompt,
    tools: session.parts.tools,
    tokens,
    window: session.limits.window,
    state: budgetState(tokens, session.limits, session.profile),
    pivot: session.pivot?.compactionId ?? null,
    retainedFrom: session.pivot?.cut?.messageId ?? null,
    retention: retentionInForce(session, composed),
  };
};
