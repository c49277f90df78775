import {
  type BudgetState,
  budgetState,
  compactsTwice,
  type LadderUse,
  type OpenSession,
  occupancy,
  type Pin,
} from '@app/domain';
import { invariant, type Revision, type Tokens } from '@app/kernel';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { requireOpen } from '../sessions/require-open.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { SessionStore } from '../sessions/session-store.js';

/** The current state of a session without its content. */
export type SessionView = {
  readonly session: SessionRef['session'];
  readonly revision: Revision;
  readonly status: 'open' | 'closed';
  readonly parent: string | null;
  readonly title: string | null;
  /** Program that runs the session. */
  readonly agent: string | null;
  readonly project: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** How title, project and labels were erased. */
  readonly erased?: NonNullable<OpenSession['description']['erased']>;
  readonly settings: Pick<OpenSession, 'model' | 'profile' | 'limits'>;
  readonly budget: {
    /** Billed tokens of the next request. */
    readonly occupancy: Tokens;
    readonly window: Tokens;
    readonly state: BudgetState;
    /** The uninterrupted series of newest requests that were shortened; `null` if the newest one was complete. */
    readonly ladder: LadderUse | null;
    /** Whether the provider compacts this session, too. */
    readonly duplicateCompaction: boolean;
  };
  readonly pins: readonly Pin[];
  readonly messages: number;
  readonly turn: number;
  readonly isInTurn: boolean;
  readonly compactions: number;
  /** Compaction, reset or fork at the start of the context. */
  readonly pivot: string | null;
  /** The requested, running or deferred compaction. */
  readonly compaction: { readonly compactionId: string; readonly status: 'requested' | 'deferred' } | null;
  /** The hold that defers automatic compactions. */
  readonly hold: NonNullable<OpenSession['hold']> | null;
};

/** Returns the state, settings, pins and budget of a session from the log. Records nothing. */
export class ShowSession extends Query<SessionView> {
  constructor(readonly ref: SessionRef) {
    super();
  }
}

@QueryHandler(ShowSession)
export class ShowSessionHandler implements IQueryHandler<ShowSession> {
  constructor(private readonly sessions: SessionStore) {}

  /** @throws {AppError} `session-not-found`. */
  async execute({ ref }: ShowSession): Promise<SessionView> {
    const { state, revision } = await this.sessions.load(ref);
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
