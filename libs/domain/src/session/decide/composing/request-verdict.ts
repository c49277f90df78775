import type { Tokens } from '@app/kernel';
import { thresholdTokens } from '../../../budget/limits.js';
import { occupancy } from '../../../budget/occupancy.js';
import { type BudgetState, budgetState } from '../../../budget/state.js';
import type { RefusalReason, WayOut } from '../../events.js';
import type { OpenSession } from '../../state.js';
import { planNow } from '../compacting/give-up-calls.js';

type Standing = { readonly occupancy: Tokens; readonly window: Tokens; readonly state: BudgetState };
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
 * this turn; when `blocking` not at all. Both modes are held to the same: in automatic mode a compaction is waited for
 * first, and where that came to nothing the request would be too large all the same.
 */
export const requestVerdict = (session: OpenSession): RequestVerdict => {
  const { limits, profile, compaction } = session;
  const size = occupancy(session);
  const state = budgetState(size, limits, profile);
  const standing = { occupancy: size, window: limits.window, state };
  if (state === 'normal' || state === 'warning') return { kind: 'may-go', ...standing };
  const isBlocking = state === 'blocking';
  if (!isBlocking && session.overriddenTurn === session.turn) return { kind: 'may-go', ...standing };
  return {
    kind: 'refused',
    ...standing,
    reason: compaction ? 'compaction-in-flight' : isBlocking ? 'blocking' : 'compaction-required',
    threshold: thresholdTokens(limits, isBlocking ? profile.blockAt : profile.requireAt),
    waysOut: [...compacting(session), 'reset', ...(isBlocking ? [] : (['override'] as const))],
  };
};

/** To compact is a way out only where there is something to compact. */
const compacting = (session: OpenSession): readonly WayOut[] => {
  if (session.compaction) return ['wait'];
  return planNow(session, session.profile).plan.kind === 'plan' ? ['compact'] : [];
};
