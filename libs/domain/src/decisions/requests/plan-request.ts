import { Tokens } from '@app/kernel';
import { inputMost, usableBudget } from '../../budget/limits.js';
import { floorOf } from '../../compaction/prepare/floor.js';
import { type Descent, descend, type Shortening } from '../../context/ladder/descend.js';
import type { LadderPolicy } from '../../profiles/profile.js';
import type { ContextOverflowed, FloorPart, LadderRung } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import { layOut } from '../../turns/cuts.js';
import { isSpent } from '../compactions/check-budget.js';
import { isBroken } from '../compactions/circuit.js';
import { planNow } from '../compactions/give-up-calls.js';
import { type RequestVerdict, requestVerdict, type Standing } from './request-verdict.js';

/** What becomes of the next request: it goes out whole, or on a rung of the ladder; or it does not, and why. */
export type RequestPlan =
  | RequestVerdict
  | (Standing & { readonly kind: 'shortened'; readonly shortening: Shortening })
  | (Standing & {
      readonly kind: 'overflow';
      readonly reason: ContextOverflowed['data']['reason'];
      readonly rung: LadderRung | 'none';
      /** Billed, of the request on that rung. */
      readonly tokens: Tokens;
      readonly budget: Tokens;
      readonly parts: readonly FloorPart[];
    });

/** What a caller wants for one request. */
export type RequestWishes = {
  /** The session goes on as it is in this turn, as long as the window has room for it. */
  readonly isOverridden?: boolean;
  /** In the place of the profile's, for this request. */
  readonly ladder?: LadderPolicy | undefined;
};

/**
 * Decides how the next request goes out. Where no compaction helps in automatic mode, it goes out whole as long as it fits
 * with the shortest answer, and else down the ladder; so does a request that a provider has refused as too large, unless it is
 * small and nothing of it can be left out.
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

/** Whether a provider has refused the session as it stands, and it was not compacted for that. */
export const mustShrink = ({ overflow, messages }: OpenSession): boolean =>
  overflow !== undefined && overflow.messages === messages && !overflow.isCompacted;

/**
 * Whether one refusal is not taken at its word: the request takes less than half of the usable budget, and no provider counts
 * twice as much. Where it cannot become smaller it goes out once more; a second refusal counts.
 */
const isDoubtful = (session: OpenSession, size: Tokens): boolean => {
  const { limits, profile, overflow } = session;
  const budget = usableBudget(limits, profile);
  return overflow?.isAgain === false && budget !== undefined && size < budget / 2;
};

/** Whether a provider has refused a request that had been shortened already. */
const isAgain = (session: OpenSession): boolean =>
  mustShrink(session) && session.overflow?.rung !== undefined;

/** What neither a compaction nor the ladder can leave out, part by part, in counted tokens. */
const fixedPartsOf = (session: OpenSession): readonly FloorPart[] =>
  floorOf(session, layOut(session).newest, session.pivot?.summaryTokens ?? Tokens(0)).parts;

/** Whether the next check of the budget would ask for a compaction. */
const compactionHelps = (session: OpenSession): boolean =>
  session.restingInTurn !== session.turn &&
  !isSpent(session) &&
  !isBroken(session, undefined) &&
  planNow(session, session.profile).plan.kind === 'plan';

/** After a last rung that was refused nothing deeper follows: what is left is halved. */
const LAST_SHARE = 0.5;

/**
 * How far the next request has to go down: to what the answer's reserve leaves, and at least to what its minimum leaves.
 * After an overflow also below what has overflowed, by as much as a compaction must gain, and a rung deeper.
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
    ...{ below, truncates },
    most: Tokens(Math.min(most, less)),
    aim: Tokens(Math.min(aim, less)),
  };
};

/** Whether a request that went down the ladder as `policy` says would fit, and how large it would be. */
export const shortenedBy = (session: OpenSession, policy: LadderPolicy): Shortening | undefined => {
  const descent = descentOf(session, policy);
  const shortening = descend(session, descent);
  return shortening && shortening.tokens <= descent.most ? shortening : undefined;
};
