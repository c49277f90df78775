import type { Profile } from '../../profiles/profile.js';
import type { OpenSession } from '../../session/state.js';
import { firstPlaceOfTurn } from '../../turns/carried.js';
import type { Layout } from '../../turns/cuts.js';
import { firstPlace } from '../../turns/first-place.js';
import type { Measure } from './measure.js';

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
