import { Tokens } from '@app/kernel';
import { countedWithin } from '../budget/calibration/calibration.js';
import { targetTokens, triggerTokens, usableBudget } from '../budget/limits.js';
import type { Profile } from '../profiles/profile.js';
import type { OpenSession } from '../session/state.js';
import { estimatedTokens, fixedTokens } from './occupancy.js';

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

/**
 * Returns the counted tokens that compactions save in the next request: summaries in force, marks of permanent
 * stages, and read-time stages. Resets, forks and the ladder do not count.
 */
export const countedSaving = (session: OpenSession): Tokens =>
  Tokens(Math.max(0, withoutCompactions(session) - estimatedTokens(session)));

/**
 * Returns the part of the saving that retained messages no longer show right after a compaction. Without any
 * compaction, the requests of `before` and `after` would be equal.
 */
export const savedBehindCut = (before: OpenSession, after: OpenSession): Tokens =>
  Tokens(Math.max(0, withoutCompactions(before) - wholeTokens(after)));

const withoutCompactions = (session: OpenSession): number =>
  (session.pivot?.countedSaved ?? 0) + wholeTokens(session);

/** With every message as it was appended. */
const wholeTokens = (session: OpenSession): number =>
  session.entries.reduce(
    (sum, { tokens }) => sum + tokens,
    fixedTokens(session) + (session.pivot?.summaryTokens ?? 0),
  );
