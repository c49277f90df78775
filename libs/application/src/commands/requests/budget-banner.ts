import {
  type BudgetState,
  compactsTwice,
  type LadderUse,
  type OpenSession,
  type Remedy,
  type RemedyFacts,
  remediesFor,
  requestVerdict,
  stateThresholds,
} from '@app/domain';
import type { Tokens } from '@app/kernel';

/** The budget state of a session for its user: occupancy, remedies, and notes on shortened requests and double compaction. */
export type BudgetBanner = {
  readonly state: BudgetState;
  /** Billed tokens of the next request. */
  readonly occupancy: Tokens;
  /** The occupancy at which the state begins; in the state `normal`, that of the next state. */
  readonly threshold: Tokens;
  readonly window: Tokens;
  /** Actions that would lower the state, each with its effect in billed tokens. */
  readonly remedies: readonly Remedy[];
  /** The uninterrupted series of newest requests that were shortened; `null` if the newest one was complete. */
  readonly ladder: LadderUse | null;
  /** Whether the provider compacts this session, too, so that its context differs from the engine's. */
  readonly duplicateCompaction: boolean;
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
