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

/** What is to be shown beside a session: how full it is, what would help, and what goes on that its user should know. */
export type BudgetBanner = {
  readonly state: BudgetState;
  /** Of the next request, in billed tokens. */
  readonly occupancy: Tokens;
  /** The occupancy at which the state begins, or the next one where the state is normal. */
  readonly threshold: Tokens;
  readonly window: Tokens;
  /** What would bring the session below its state, each with its effect in billed tokens. */
  readonly remedies: readonly Remedy[];
  /** The newest requests, one after the other, that went out shortened; `null` where the newest one did not. */
  readonly ladder: LadderUse | null;
  /** Whether the provider compacts beside this engine: the context of the one is not what the other knows. */
  readonly duplicateCompaction: boolean;
};

/** The banner of a session as it stands; `null` where there is nothing to tell. */
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
