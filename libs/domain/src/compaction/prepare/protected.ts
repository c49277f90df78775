import type { Profile } from '../../profiles/profile.js';
import type { OpenSession } from '../../session/state.js';
import { firstPlaceOfTurn } from '../../turns/carried.js';
import type { Layout } from '../../turns/cuts.js';
import { firstPlace } from '../../turns/first-place.js';
import type { Measure } from './measure.js';

/** The place from which on the policy protects what there is: the newest turns, or the tail of so many tokens. */
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
 * Where the tail begins: at the first place for a cut that is no earlier than the message with which the newest ones
 * come to `keep` tokens. A group is not parted for the sake of them: where they are reached among its results it is
 * left out, and so the tail lacks less than a group of what is asked for. The newest group stays whatever its size.
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
