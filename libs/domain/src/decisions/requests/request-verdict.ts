import { Tokens } from '@app/kernel';
import {
  type BudgetState,
  budgetState,
  inputMost,
  stateThresholds,
  usableBudget,
} from '../../budget/limits.js';
import { occupancy } from '../../occupancy/occupancy.js';
import type { RefusalReason } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';

export type Standing = { readonly occupancy: Tokens; readonly window: Tokens; readonly state: BudgetState };
/** Whether the next request of a session may go out; if not, why, and at which threshold, in billed tokens. */
export type RequestVerdict = Standing &
  (
    | { readonly kind: 'may-go' }
    | {
        readonly kind: 'refused';
        readonly reason: RefusalReason;
        readonly threshold: Tokens;
        /** Whether it fits the window all the same, with the shortest answer that the profile allows. */
        readonly mayOverride: boolean;
      }
  );

/**
 * Checks the next request against the budget. Below `critical` it may be sent; from `critical` on only with an
 * override for this turn, as long as it fits the window with the shortest answer. Both modes have the same limits:
 * request planning decides on the reaction in automatic mode.
 */
export const requestVerdict = (session: OpenSession): RequestVerdict => {
  const { limits, profile, compaction } = session;
  const size = occupancy(session);
  const state = budgetState(size, limits, profile);
  const standing = { occupancy: size, window: limits.window, state };
  const mayOverride = fits(session, size);
  const isOverridden = mayOverride && session.overriddenTurn === session.turn;
  // Mode `off` requires no compactions: requests are sent as long as they fit.
  const isOff = mayOverride && profile.mode === 'off';
  const isLow = state === 'normal' || state === 'warning';
  const waits = waitsForCompaction(session, size);
  if (isOverridden || isOff || (isLow && mayOverride && !waits)) return { kind: 'may-go', ...standing };
  const isBlocking = state === 'blocking' || !mayOverride;
  return {
    kind: 'refused',
    ...standing,
    reason: compaction ? 'compaction-in-flight' : isBlocking ? 'blocking' : 'compaction-required',
    threshold: thresholdOf(session, mayOverride),
    mayOverride,
  };
};

/** Whether a request of `size` billed tokens fits the window beside the shortest answer that the profile allows. */
export const fits = ({ limits, profile }: OpenSession, size: number): boolean =>
  size <= (inputMost(limits, profile) ?? Number.POSITIVE_INFINITY);

/**
 * Returns whether the compaction in flight precedes a request that would fit: the profile compacts at the usable
 * budget, so that no request exceeds it; or the provider rejected the session as too large.
 */
const waitsForCompaction = ({ compaction, limits, profile }: OpenSession, size: number): boolean => {
  if (!compaction || profile.mode !== 'automatic') return false;
  if (compaction.trigger === 'overflow') return true;
  return (
    profile.triggerBy === 'usable-budget' &&
    size > (usableBudget(limits, profile) ?? Number.POSITIVE_INFINITY)
  );
};

/** From how many billed tokens on the request is refused. */
const thresholdOf = (session: OpenSession, mayOverride: boolean): Tokens => {
  const { limits, profile } = session;
  const size = occupancy(session);
  const most = inputMost(limits, profile);
  if (!mayOverride && most !== undefined) return Tokens(most + 1);
  const { critical, blocking } = stateThresholds(limits, profile);
  if (size >= blocking) return blocking;
  return size >= critical ? critical : Tokens(Math.min(size, (usableBudget(limits, profile) ?? size) + 1));
};

/** Returns the session with `contributed` tokens of contributions to its next request; unchanged without a number. */
export const withContributed = (session: OpenSession, contributed: Tokens | undefined): OpenSession =>
  contributed === undefined || contributed === session.request.contributed
    ? session
    : { ...session, request: { ...session.request, contributed } };
