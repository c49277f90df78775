import { Tokens } from '@app/kernel';
import { thresholdTokens } from '../../../budget/limits.js';
import { layOut } from '../../../compaction/prepare/cuts.js';
import { floorOf } from '../../../compaction/prepare/floor.js';
import { descend, type Shortening } from '../../../context/ladder/descend.js';
import type { FloorPart, LadderRung } from '../../events.js';
import type { OpenSession } from '../../state.js';
import { isBroken } from '../compacting/circuit.js';
import { planNow } from '../compacting/give-up-calls.js';
import { type RequestVerdict, requestVerdict, type Standing } from './request-verdict.js';

/** What becomes of the next request: it goes out whole, or on a rung of the ladder; or it does not, and why. */
export type RequestPlan =
  | RequestVerdict
  | (Standing & { readonly kind: 'shortened'; readonly shortening: Shortening })
  | (Standing & {
      readonly kind: 'overflow';
      readonly rung: LadderRung | 'none';
      readonly tokens: Tokens;
      readonly budget: Tokens;
      readonly parts: readonly FloorPart[];
    });

/**
 * Decides how the next request goes out. What the budget refuses goes down the ladder where compacting is automatic and
 * came to nothing, or would; so does what a provider has refused as too large.
 *
 * @param isOverridden somebody has said that the session goes on as it is, as long as the window has room for it.
 */
export const planRequest = (session: OpenSession, isOverridden = false): RequestPlan => {
  const verdict = requestVerdict(session);
  const isOverflowed = mustShrink(session);
  if (verdict.kind === 'may-go' && !isOverflowed) return verdict;
  if (isOverridden && !isOverflowed && verdict.kind === 'refused' && verdict.waysOut.includes('override')) {
    return verdict;
  }
  if (session.profile.mode !== 'automatic' || session.compaction) return verdict;
  if (!isOverflowed && compactionHelps(session)) return verdict;

  const { occupancy, window, state } = verdict;
  const standing = { occupancy, window, state };
  const budget = ladderBudget(session, isOverflowed);
  const shortening = descend(session, budget);
  if (shortening && shortening.tokens <= budget) return { kind: 'shortened', ...standing, shortening };
  return {
    kind: 'overflow',
    ...standing,
    rung: shortening?.rung ?? 'none',
    tokens: shortening?.tokens ?? occupancy,
    budget,
    parts: fixedPartsOf(session),
  };
};

/** Whether a provider has refused the session as it stands, and it was not compacted for that. */
export const mustShrink = ({ overflow, messages }: OpenSession): boolean =>
  overflow !== undefined && overflow.messages === messages && !overflow.isCompacted;

/** What neither a compaction nor the ladder can leave out, part by part. */
export const fixedPartsOf = (session: OpenSession): readonly FloorPart[] =>
  floorOf(session, layOut(session).newest, session.pivot?.summaryTokens ?? Tokens(0)).parts;

/** Whether the next check of the budget would ask for a compaction. */
const compactionHelps = (session: OpenSession): boolean =>
  session.restingInTurn !== session.turn &&
  !isBroken(session, undefined) &&
  planNow(session, session.profile).plan.kind === 'plan';

/** What the budget lets go; and after an overflow, less than what has overflowed by as much as a compaction must gain. */
const ladderBudget = ({ limits, profile, overflow }: OpenSession, isOverflowed: boolean): Tokens => {
  const most = limits.window === 0 ? Number.MAX_SAFE_INTEGER : thresholdTokens(limits, profile.requireAt) - 1;
  if (!isOverflowed || !overflow) return Tokens(Math.max(0, most));
  return Tokens(Math.max(0, Math.min(most, Math.floor(overflow.tokens * profile.gainShare))));
};
