import { Tokens } from '@app/kernel';
import { countedWithin } from '../budget/calibration/calibration.js';
import { targetTokens, triggerTokens, usableBudget } from '../budget/limits.js';
import type { Profile } from '../profiles/profile.js';
import type { OpenSession } from '../session/state.js';

/** Returns the counted tokens that fit the usable budget; `undefined` in an unlimited window. */
export const countedBudget = (session: OpenSession, profile: Profile): Tokens | undefined =>
  counted(session, usableBudget(session.limits, profile));

/** Returns the counted tokens that meet the target of a compaction; `undefined` without a window. */
export const countedTarget = (session: OpenSession, profile: Profile): Tokens | undefined =>
  counted(session, targetTokens(session.limits, profile));

/** Returns the counted tokens that stay below the profile's trigger; `undefined` without a window. */
export const countedBelowTrigger = (session: OpenSession, profile: Profile): Tokens | undefined => {
  const trigger = triggerTokens(session.limits, profile);
  return counted(session, trigger === undefined ? undefined : Tokens(Math.max(0, trigger - 1)));
};

const counted = (session: OpenSession, tokens: Tokens | undefined): Tokens | undefined =>
  tokens === undefined ? undefined : countedWithin(session, tokens);
