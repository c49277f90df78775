import {
  type BudgetState,
  budgetState,
  type CheckBudgetCommand,
  type OpenSession,
  occupancy,
  type SkipReason,
} from '@app/domain';
import type { CompactionId, Tokens } from '@app/kernel';
import type { Clock } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { nextCompactionId } from '../sessions/compaction-id.js';
import type { CommandFor } from '../sessions/decisions/command-for.js';
import { requireOpen } from '../sessions/require-open.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller, SessionStore } from '../sessions/session-store.js';

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
    readonly willContinue = false,
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
  async execute({ ref, caller, willContinue }: CheckBudget): Promise<BudgetCheck> {
    const { state, events } = await this.sessions.execute(
      ref,
      checkBudgetCommand(ref, this.clock, { willContinue }),
      caller,
    );
    const skipped = events.find((event) => event.type === 'CompactionSkipped');
    return { ...budgetOf(requireOpen(ref, state)), skipped: skipped?.data.reason };
  }
}

/** The same, to be decided with other commands. */
export const checkBudgetCommand = (
  { session }: SessionRef,
  clock: Clock,
  more: Pick<CheckBudgetCommand['data'], 'willContinue' | 'contributed'> = {},
): CommandFor => ({
  called: 'CheckBudget',
  make: (state): CheckBudgetCommand => {
    const compactionId = nextCompactionId(session, state);
    return { type: 'CheckBudget', data: { sessionId: session, compactionId, now: clock.now(), ...more } };
  },
});

/** How a session stands to its budget. */
export const budgetOf = (session: OpenSession): Omit<BudgetCheck, 'skipped'> => {
  const size = occupancy(session);
  return {
    occupancy: size,
    state: budgetState(size, session.limits, session.profile),
    compactionId: session.compaction?.compactionId,
  };
};
