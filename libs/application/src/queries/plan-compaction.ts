import { type NoPlan, type Plan, type ProfileSource, planNow, resolveProfile } from '@app/domain';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { requireOpen } from '../sessions/require-open.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { SessionStore } from '../sessions/session-store.js';

/** Returns the plan of a compaction now, under the session's own profile or another one. Records nothing. */
export class PlanCompaction extends Query<Plan | NoPlan> {
  constructor(
    readonly ref: SessionRef,
    readonly profile?: ProfileSource,
  ) {
    super();
  }
}

@QueryHandler(PlanCompaction)
export class PlanCompactionHandler implements IQueryHandler<PlanCompaction> {
  constructor(private readonly sessions: SessionStore) {}

  /** @throws {AppError} `session-not-found`, `unknown-profile`. */
  async execute({ ref, profile }: PlanCompaction): Promise<Plan | NoPlan> {
    const { state } = await this.sessions.load(ref);
    const session = requireOpen(ref, state);
    return planNow(session, profile === undefined ? session.profile : resolveProfile(profile)).plan;
  }
}
