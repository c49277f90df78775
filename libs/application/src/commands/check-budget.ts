import type { BudgetBanner } from '@app/contract';
import {
  type BudgetState,
  budgetState,
  compactsTwice,
  type OpenSession,
  occupancy,
  type RemedyFacts,
  remediesFor,
  requestVerdict,
  type SkipReason,
  stateThresholds,
} from '@app/domain';
import type { CompactionId, Tokens } from '@app/kernel';
import { Command } from '../command-and-query.js';
import { Handler, HandlesCommand } from '../handlers.js';
import { checkBudgetCommand } from '../sessions/decisions.js';
import { requireOpen, type SessionRef } from '../sessions/session-ref.js';
import type { Caller } from '../sessions/session-store.js';

export type BudgetCheck = {
  readonly occupancy: Tokens;
  readonly state: BudgetState;
  /** The requested or running compaction, for which the next request should wait. */
  readonly compactionId: CompactionId | undefined;
  /** Why no compaction could be requested, if this check has found it out. */
  readonly skipped: SkipReason | undefined;
};

/** Compares the occupancy of the next request with the session's thresholds. Send it before each model request. */
export class CheckBudget extends Command<BudgetCheck> {
  constructor(
    readonly ref: SessionRef,
    readonly caller: Caller,
  ) {
    super();
  }
}

@HandlesCommand(CheckBudget)
export class CheckBudgetHandler extends Handler<CheckBudget, 'sessions' | 'clock'> {
  /** @throws {AppError} `session-not-found`. */
  async execute({ ref, caller }: CheckBudget): Promise<BudgetCheck> {
    const { sessions, clock } = this.parts;
    const { state, events } = await sessions.execute(ref, checkBudgetCommand(ref, clock), caller);
    const skipped = events.find((event) => event.type === 'CompactionSkipped');
    return { ...budgetOf(requireOpen(ref, state)), skipped: skipped?.data.reason };
  }
}

/** Returns the occupancy, thresholds and pending compaction of a session. */
export const budgetOf = (session: OpenSession): Omit<BudgetCheck, 'skipped'> => {
  const size = occupancy(session);
  return {
    occupancy: size,
    state: budgetState(size, session.limits, session.profile),
    compactionId: session.compaction?.compactionId,
  };
};

/** Returns the banner of a session; `null` in the state `normal` without notes. */
export const bannerOf = (session: OpenSession, facts: RemedyFacts): BudgetBanner | null => {
  const { limits, profile, ladder } = session;
  const { state, occupancy, window } = requestVerdict(session);
  const duplicateCompaction = compactsTwice(profile);
  if (state === 'normal' && !ladder && !duplicateCompaction) return null;
  const thresholds = stateThresholds(limits, profile);
  const threshold = thresholds[state === 'normal' ? 'warning' : state];
  const remedies = remediesFor(session, facts);
  return { state, occupancy, threshold, window, remedies, ladder: ladder ?? null, duplicateCompaction };
};
