import type { SessionView } from '@app/contract';
import { budgetState, compactsTwice, type OpenSession, occupancy } from '@app/domain';
import { invariant } from '@app/kernel';
import { QueryOnSession } from '../command-and-query.js';
import { Handler, HandlesQuery } from '../handlers.js';
import { requireOpen } from '../sessions/session-ref.js';

/** Returns the state, settings, pins and budget of a session from the log. Records nothing. */
export class ShowSession extends QueryOnSession<SessionView> {}

@HandlesQuery(ShowSession)
export class ShowSessionHandler extends Handler<ShowSession, 'sessions'> {
  /** @throws {AppError} `session-not-found`. */
  async execute({ ref }: ShowSession): Promise<SessionView> {
    const { state, revision } = await this.parts.sessions.load(ref);
    const session = requireOpen(ref, state);
    invariant(revision !== undefined, 'an open session has a revision');
    const { opened, model, profile, limits, pins, messages, turn, turnCompleted, compactions } = session;
    const size = occupancy(session);
    return {
      session: ref.session,
      revision,
      status: session.closed ? 'closed' : 'open',
      parent: opened.parentSessionId ?? null,
      title: session.description.title ?? null,
      agent: opened.agent ?? null,
      project: session.description.project ?? null,
      labels: session.description.labels,
      ...(session.description.erased && { erased: session.description.erased }),
      lastErasure: session.lastErasure ?? null,
      settings: { model, profile, limits },
      budget: {
        occupancy: size,
        window: limits.window,
        state: budgetState(size, limits, profile),
        ladder: session.ladder ?? null,
        duplicateCompaction: compactsTwice(profile),
      },
      pins,
      messages,
      turn,
      isInTurn: turn > turnCompleted,
      compactions,
      pivot: session.pivot?.compactionId ?? null,
      compaction: waitingIn(session),
      hold: session.hold ?? null,
    };
  }
}

const waitingIn = ({ compaction, deferred }: OpenSession): SessionView['compaction'] => {
  if (compaction) return { compactionId: compaction.compactionId, status: 'requested' };
  return deferred ? { compactionId: deferred.compactionId, status: 'deferred' } : null;
};
