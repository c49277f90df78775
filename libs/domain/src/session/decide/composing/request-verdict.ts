import { Tokens } from '@app/kernel';
import { thresholdTokens } from '../../../budget/limits.js';
import { occupancy } from '../../../budget/occupancy.js';
import { type BudgetState, budgetState } from '../../../budget/state.js';
import type { RefusalReason, WayOut } from '../../events.js';
import type { OpenSession } from '../../state.js';
import { planNow } from '../compacting/give-up-calls.js';
import { carrying } from './carrying.js';

export type Standing = { readonly occupancy: Tokens; readonly window: Tokens; readonly state: BudgetState };
/** Whether the next request of a session may go out; if not, why, at which threshold, and what would help. */
export type RequestVerdict = Standing &
  (
    | { readonly kind: 'may-go' }
    | {
        readonly kind: 'refused';
        readonly reason: RefusalReason;
        readonly threshold: Tokens;
        readonly waysOut: readonly WayOut[];
      }
  );

/**
 * Holds the next request against the budget. Up to `warning` it may go; when `critical` only on somebody's word for
 * this turn; when `blocking` not at all. Both modes are held to the same: what becomes of a refusal in automatic mode is
 * decided where requests are planned.
 */
export const requestVerdict = (session: OpenSession): RequestVerdict => {
  const { limits, profile, compaction } = session;
  const size = occupancy(session);
  const state = budgetState(size, limits, profile);
  const standing = { occupancy: size, window: limits.window, state };
  if (state === 'normal' || state === 'warning') return { kind: 'may-go', ...standing };
  const isBlocking = state === 'blocking';
  // Where nothing is ever compacted nothing is asked for either: requests go out as long as they fit.
  if (!isBlocking && profile.mode === 'off') return { kind: 'may-go', ...standing };
  if (!isBlocking && session.overriddenTurn === session.turn) return { kind: 'may-go', ...standing };
  return {
    kind: 'refused',
    ...standing,
    reason: compaction ? 'compaction-in-flight' : isBlocking ? 'blocking' : 'compaction-required',
    threshold: thresholdTokens(limits, isBlocking ? profile.blockAt : profile.requireAt),
    waysOut: [
      ...compacting(session),
      'reset',
      ...carryingLess(session),
      ...(isBlocking ? [] : (['override'] as const)),
    ],
  };
};

/** To compact is a way out only where there is something to compact. */
const compacting = (session: OpenSession): readonly WayOut[] => {
  if (session.compaction) return ['wait'];
  if (session.profile.mode === 'off') return [];
  return planNow(session, session.profile).plan.kind === 'plan' ? ['compact'] : [];
};

/** To send less besides the session is a way out where the session alone may go. */
const carryingLess = (session: OpenSession): readonly WayOut[] => {
  if (session.request.contributed === 0) return [];
  const { limits, profile } = session;
  const state = budgetState(occupancy(carrying(session, Tokens(0))), limits, profile);
  return state === 'normal' || state === 'warning' ? ['less-context'] : [];
};
