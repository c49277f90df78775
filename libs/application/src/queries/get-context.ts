import {
  type BudgetState,
  budgetState,
  type ComposedRequest,
  compose,
  manifestOf,
  occupancy,
  retentionInForce,
  type TurnRetention,
  type WireFormat,
} from '@app/domain';
import { invariant, type MessageId, type Revision, type Tokens } from '@app/kernel';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { requireOpen } from '../sessions/require-open.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { SessionStore } from '../sessions/session-store.js';

export type ContextView = ComposedRequest & {
  readonly revision: Revision;
  /** Of the next request, by what the provider reported and this engine estimates. */
  readonly tokens: Tokens;
  readonly window: Tokens;
  readonly state: BudgetState;
  /** The compaction in force, and what it did. */
  readonly pivot: string | null;
  readonly retainedFrom: MessageId | null;
  readonly retention: readonly TurnRetention[];
};

/** The request that a session's next model call would send, now or as of a revision. It changes nothing. */
export class GetContext extends Query<ContextView> {
  constructor(
    readonly ref: SessionRef,
    readonly format: WireFormat,
    readonly asOf?: Revision,
  ) {
    super();
  }
}

@QueryHandler(GetContext)
export class GetContextHandler implements IQueryHandler<GetContext> {
  constructor(private readonly sessions: SessionStore) {}

  /** @throws {AppError} `session-not-found`, `revision-not-found`. */
  async execute({ ref, format, asOf }: GetContext): Promise<ContextView> {
    const { state, revision } = await this.sessions.load(ref, asOf);
    const session = requireOpen(ref, state);
    invariant(revision !== undefined, 'an open session has a revision');
    const tokens = occupancy(session);
    const composed = compose(manifestOf(session), format);
    return {
      ...composed,
      revision,
      tokens,
      window: session.limits.window,
      state: budgetState(tokens, session.limits, session.profile),
      pivot: session.pivot?.compactionId ?? null,
      retainedFrom: session.pivot?.cut?.messageId ?? null,
      retention: retentionInForce(session, { format, notes: composed.notes }),
    };
  }
}
