import { Tokens } from '@app/kernel';
import { summaryBudget } from '../../budget/limits.js';
import { fixedTokens } from '../../occupancy/occupancy.js';
import type { Profile } from '../../profiles/profile.js';
import type { OpenSession } from '../../session/state.js';
import { carriedAt } from '../../turns/carried.js';
import { freedByPlace } from '../../turns/freed-by-place.js';
import { mutedMessages } from '../../view/muted.js';

/** Largest share of the covered content that a summary may take … */
const SUMMARY_OF_COVERED = 0.5;
/** … and the tokens that are always allowed. */
const SUMMARY_MIN = 256;

/** The sizes that a cut at any position leaves. Sums are computed once. */
export type Measure = {
  /** Tokens of all entries from a position on. */
  readonly tokensFrom: (at: number) => number;
  /** Number of messages before a cut, which the summary covers. */
  readonly covered: (at: number) => number;
  /** The largest summary for the entries before a position. */
  readonly countedSummaryLimit: (at: number) => Tokens;
  /** Tokens of the context if it is cut at a place and the summary takes all the room that it may. */
  readonly sizeAfter: (at: number) => number;
};

export const measureOf = (session: OpenSession, profile: Profile): Measure => {
  const tokensFrom = tailTokens(session);
  const fixed = fixedTokens(session);
  const budget = summaryBudget(session.limits, profile);
  const summarized = session.pivot?.summaryTokens ?? 0;
  const countedSummaryLimit = (at: number): Tokens => {
    const replaced = session.entriesTokens - tokensFrom(at) + summarized;
    return Tokens(Math.min(budget, Math.max(SUMMARY_MIN, Math.floor(replaced * SUMMARY_OF_COVERED))));
  };
  return {
    tokensFrom,
    countedSummaryLimit,
    covered: (at) => (at === 0 || !carriedAt(session, at) ? at : at - 1),
    sizeAfter: (at) =>
      fixed + countedSummaryLimit(at) + (carriedAt(session, at)?.tokens ?? 0) + tokensFrom(at),
  };
};

/**
 * Returns the tokens from a position on, without marked parts and disposable reasoning. Computes the sums backwards,
 * on demand.
 */
const tailTokens = (session: OpenSession): ((at: number) => number) => {
  const { entries } = session;
  const freed = freedByPlace(session);
  const muted = new Map(mutedMessages(session).map((one) => [one.at, one.freed]));
  /** Sums of the newest entry, of the two newest, and so on. */
  const sums = [0];
  return (at) => {
    const count = Math.max(0, entries.length - at);
    for (let place = entries.length - sums.length; sums.length <= count; place -= 1) {
      const tokens = (entries[place]?.tokens ?? 0) - (freed.get(place) ?? 0) - (muted.get(place) ?? 0);
      sums.push((sums.at(-1) ?? 0) + tokens);
    }
    return sums[count] ?? 0;
  };
};
