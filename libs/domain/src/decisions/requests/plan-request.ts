import { Tokens } from '@app/kernel';
import { inputMost, usableBudget } from '../../budget/limits.js';
import { floorOf } from '../../compaction/prepare/measure.js';
import { type Descent, descend, type Shortening } from '../../context/ladder/descend.js';
import type { LadderPolicy } from '../../profiles/profile.js';
import type { EventData, FloorPart, LadderRung } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import { layOut } from '../../turns/cuts.js';
import { isSpent } from '../compactions/check-budget.js';
import { isBroken } from '../compactions/circuit.js';
import { planNow } from '../compactions/give-up-calls.js';
import { type RequestVerdict, requestVerdict, type Standing } from './request-verdict.js';

/** The plan of the next request: sent in full, sent on a rung of the ladder, or refused with a reason. */
export type RequestPlan =
  | RequestVerdict
  | (Standing & { readonly kind: 'shortened'; readonly shortening: Shortening })
  | (Standing & {
      readonly kind: 'overflow';
      readonly reason: EventData<'ContextOverflowed'>['reason'];
      readonly rung: LadderRung | 'none';
      /** Billed, of the request on that rung. */
      readonly tokens: Tokens;
      readonly budget: Tokens;
      readonly parts: readonly FloorPart[];
    });

/** The caller's options for one request. */
export type RequestWishes = {
  /** Whether the turn continues although critical, as long as the window has room. */
  readonly isOverridden?: boolean;
  /** In the place of the profile's, for this request. */
  readonly ladder?: LadderPolicy | undefined;
};

/**
 * Returns the plan of the next request. If no compaction helps in automatic mode, the request is sent in full as long
 * as it fits with the shortest answer, and else down the ladder; so is a request after an overflow, unless it is
 * small and cannot shrink.
 */
export const planRequest = (session: OpenSession, wishes: RequestWishes = {}): RequestPlan => {
  const verdict = requestVerdict(session);
  const isOverflowed = mustShrink(session);
  if (verdict.kind === 'may-go' && !isOverflowed) return verdict;
  const mayOverride = verdict.kind === 'refused' && verdict.mayOverride;
  if (wishes.isOverridden && !isOverflowed && mayOverride) return verdict;
  const isAutomatic = session.profile.mode === 'automatic';
  // Without automatic compaction the session is shortened on the user's word alone.
  if (session.compaction || (!isAutomatic && wishes.ladder === undefined)) return verdict;
  if (isAutomatic && !isOverflowed && compactionHelps(session)) return verdict;

  const { occupancy, window, state } = verdict;
  const standing = { occupancy, window, state };
  if (isAutomatic && !isOverflowed && mayOverride) return { kind: 'may-go', ...standing };
  const policy = wishes.ladder ?? session.profile.ladder;
  const descent = descentOf(session, policy);
  const shortening = policy === 'off' ? undefined : descend(session, descent);
  if (shortening && shortening.tokens <= descent.most) return { kind: 'shortened', ...standing, shortening };
  if (policy !== 'off' && verdict.kind === 'may-go' && isDoubtful(session, occupancy)) return verdict;
  return {
    kind: 'overflow',
    ...standing,
    reason:
      policy === 'off' ? 'ladder-disabled' : isAgain(session) ? 'repeated-overflow' : 'ladder-exhausted',
    rung: shortening?.rung ?? session.overflow?.rung ?? 'none',
    tokens: shortening?.tokens ?? occupancy,
    budget: descent.most,
    parts: fixedPartsOf(session),
  };
};

/** Returns whether the provider rejected the current messages as too large, without a compaction since. */
export const mustShrink = ({ overflow, messages }: OpenSession): boolean =>
  overflow !== undefined && overflow.messages === messages && !overflow.isCompacted;

/**
 * Returns whether an overflow report is doubtful: the request takes less than half of the usable budget, and no
 * provider counts twice as much. A request that cannot shrink is sent once more; a second report counts.
 */
const isDoubtful = (session: OpenSession, size: Tokens): boolean => {
  const { limits, profile, overflow } = session;
  const budget = usableBudget(limits, profile);
  return overflow?.isAgain === false && budget !== undefined && size < budget / 2;
};

/** Whether a provider has refused a request that had been shortened already. */
const isAgain = (session: OpenSession): boolean =>
  mustShrink(session) && session.overflow?.rung !== undefined;

/** Returns the parts that neither a compaction nor the ladder can omit, in counted tokens. */
const fixedPartsOf = (session: OpenSession): readonly FloorPart[] =>
  floorOf(session, layOut(session).newest, session.pivot?.summaryTokens ?? Tokens(0)).parts;

/** Whether the next check of the budget would ask for a compaction. */
const compactionHelps = (session: OpenSession): boolean =>
  session.restingInTurn !== session.turn &&
  !isSpent(session) &&
  !isBroken(session, undefined) &&
  planNow(session, session.profile).plan.kind === 'plan';

/** After a rejected last rung, the request is cut to this share. */
const LAST_SHARE = 0.5;

/**
 * Returns the required depth of the ladder: a size that leaves the answer's reserve, or at least its minimum. After
 * an overflow also below the rejected size by the minimum gain of a compaction, and one rung deeper.
 */
export const descentOf = (session: OpenSession, policy: LadderPolicy): Descent => {
  const { limits, profile, overflow } = session;
  const truncates = policy === 'truncate';
  const most = inputMost(limits, profile) ?? Tokens(Number.MAX_SAFE_INTEGER);
  const aim = Math.min(most, usableBudget(limits, profile) ?? most);
  if (!overflow || !mustShrink(session)) return { most, aim: Tokens(aim), truncates };
  const { rung: below, tokens } = overflow;
  const isLast = below === (truncates ? 'truncate-messages' : 'newest-group');
  const share = isLast ? Math.min(LAST_SHARE, profile.maxRemainingShare) : profile.maxRemainingShare;
  const less = Math.floor(tokens * share);
  return {
    below,
    truncates,
    most: Tokens(Math.min(most, less)),
    aim: Tokens(Math.min(aim, less)),
  };
};

/** Returns whether the request on the ladder under `policy` fits, and its size. */
export const shortenedBy = (session: OpenSession, policy: LadderPolicy): Shortening | undefined => {
  const descent = descentOf(session, policy);
  const shortening = descend(session, descent);
  return shortening && shortening.tokens <= descent.most ? shortening : undefined;
};
