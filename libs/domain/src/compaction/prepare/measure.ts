import { sumTokens, Tokens } from '@app/kernel';
import { summaryBudget } from '../../budget/limits.js';
import type { AtomicGroup } from '../../message/index.js';
import { fixedTokens } from '../../occupancy/occupancy.js';
import type { Profile } from '../../profiles/profile.js';
import type { OpenSession } from '../../session/state.js';
import type { Layout } from '../../turns/cuts.js';
import { freedByPlace } from '../../turns/freed-by-place.js';
import { carriedAt, firstPlace, firstPlaceOfTurn, turnStartOf } from '../../turns/turns-of.js';
import { mutedMessages } from '../../view/muted.js';
import { pinnedTokens } from '../../view/pinned.js';
import { recallTokens } from '../../view/recall/recall-tool.js';
import type { Floor } from '../plan.js';

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

/**
 * Returns the content that no compaction removes: system prompt and tools, pins, contributions, the newest atomic
 * group with its user message, and the reserve for a summary.
 */
export const floorOf = (
  session: OpenSession,
  newest: AtomicGroup | undefined,
  summaryReserve: Tokens,
): Floor => {
  const group = newest ? session.entries.slice(newest.start, newest.end) : [];
  const asked = newest && turnStartOf(session.entries, newest.start);
  const parts = [
    {
      part: 'system prompt and tools',
      tokens: sumTokens([session.parts.fixedTokens, recallTokens(session)]),
    },
    {
      part: 'leading system messages',
      tokens: sumTokens(session.leadingSystem.map((entry) => entry.tokens)),
    },
    { part: 'pinned content', tokens: pinnedTokens(session.pins) },
    { part: 'context providers', tokens: session.request.contributed },
    { part: 'newest atomic group', tokens: sumTokens(group.map((entry) => entry.tokens)) },
    { part: "the group's user message", tokens: asked && !group.includes(asked) ? asked.tokens : Tokens(0) },
    { part: 'reserve for the summary', tokens: summaryReserve },
  ].filter(({ tokens }) => tokens > 0);
  return { tokens: sumTokens(parts.map(({ tokens }) => tokens)), parts };
};

/** Returns the index from which the policy protects entries: the newest turns, or the tail of tokens. */
export const protectedFrom = (
  { entries, turn }: OpenSession,
  { cuts }: Layout,
  profile: Profile,
  { tokensFrom }: Measure,
): number =>
  profile.keepBy === 'turns'
    ? firstPlaceOfTurn(entries, turn - profile.keepRecentTurns + 1)
    : tailFrom(entries.length, cuts, tokensFrom, profile.keepRecentTokens);

/**
 * Returns the start of the tail: the first possible cut at or after the message at which the newest messages reach
 * `keep` tokens. Groups stay whole: a group whose results cross the limit is left out, so that the tail is at most
 * one group smaller than `keep`. The newest group always stays.
 */
const tailFrom = (
  count: number,
  cuts: readonly number[],
  tokensFrom: Measure['tokensFrom'],
  keep: number,
) => {
  let reached = Math.max(0, count - 1);
  while (reached > 0 && tokensFrom(reached) < keep) reached -= 1;
  return cuts[firstPlace(cuts.length, (one) => (cuts[one] ?? 0) >= reached)] ?? cuts.at(-1) ?? 0;
};
