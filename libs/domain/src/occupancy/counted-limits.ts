import { Tokens } from '@app/kernel';
import { countedWithin } from '../budget/calibration/calibration.js';
import { targetTokens, triggerTokens, usableBudget } from '../budget/limits.js';
import type { Profile } from '../profiles/profile.js';
import type { OpenSession } from '../session/state.js';

/** What may be counted of a request so that it fits the usable budget; `undefined` where the window is unlimited. */
export const countedBudget = (session: OpenSession, profile: Profile): Tokens | undefined =>
  counted(session, usableBudget(session.limits, profile));

/** What may be counted of a context so that it meets the target of a compaction; `undefined` without a window. */
export const countedTarget = (session: OpenSession, profile: Profile): Tokens | undefined =>
  counted(session, targetTokens(session.limits, profile));

/** What may be counted of a context so that it stays below the trigger of a profile; `undefined` without a window. */
export const countedBelowTrigger = (session: OpenSession, profile: Profile): Tokens | undefined => {
  const trigger = triggerTokens(session.limits, profile);
  return counted(session, trigger === undefined ? undefined : Tokens(Math.max(0, trigger - 1)));
};

const counted = (session: OpenSession, tokens: Tokens | undefined): Tokens | undefined =>
  tokens === undefined ? undefined : countedWithin(session, tokens);
