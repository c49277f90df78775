import type { BudgetBanner } from '@app/contract';
import {
  compactsTwice,
  type OpenSession,
  type RemedyFacts,
  remediesFor,
  requestVerdict,
  stateThresholds,
} from '@app/domain';

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
