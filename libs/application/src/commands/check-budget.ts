import { type BudgetState, budgetState, occupancy, type SkipReason } from '@app/domain';
import type { CompactionId, Tokens } from '@app/kernel';
import type { Clock } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requireOpen } from '../sessions/require-open.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller, SessionStore } from '../sessions/session-store.js';
import { newCompactionId } from './compaction-id.js';

export type BudgetCheck = {
  readonly occupancy: Tokens;
  readonly state: BudgetState;
  /** The compaction that is asked for or under way: to be waited for before the next request. */
  readonly compactionId: CompactionId | undefined;
  /** Why none could be asked for, where that is news. */
  readonly skipped: SkipReason | undefined;
};

/** Holds the next request of a session against its thresholds; to be sent before every model request. */
export class CheckBudget extends Command<BudgetCheck> {
  constructor(
    readonly ref: SessionRef,
    readonly caller: Caller,
    /** Known to go on with the work by itself, as a recording does: an interruption is not continued. */
    readonly workGoesOn = false,
  ) {
    super();
  }
}

@CommandHandler(CheckBudget)
export class CheckBudgetHandler implements ICommandHandler<CheckBudget> {
  constructor(
    private readonly sessions: SessionStore,
    private readonly clock: Clock,
  ) {}

  /** @throws {AppError} `session-not-found`. */
  async execute({ ref, caller, workGoesOn }: CheckBudget): Promise<BudgetCheck> {
    const data = {
      sessionId: ref.session,
      compactionId: newCompactionId(),
      now: this.clock.now(),
      workGoesOn,
    };
    const { state, events } = await this.sessions.execute(ref, { type: 'CheckBudget', data }, caller);
    const session = requireOpen(ref, state);
    const skipped = events.find((event) => event.type === 'CompactionSkipped');
    const size = occupancy(session);
    return {
      occupancy: size,
      state: budgetState(size, session.limits, session.profile),
      compactionId: session.compaction?.compactionId,
      skipped: skipped?.data.reason,
    };
  }
}
