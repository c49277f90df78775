import type { OpenSession } from '../../session/state.js';
import type { Profile } from '../profile.js';
import { firstPlaceOfTurn } from './carried.js';
import type { Layout } from './cuts.js';
import { firstPlace } from './first-place.js';
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
    : tailFrom(cuts, tokensFrom, profile.keepRecentTokens);

/**
 * Where the tail begins: whole atomic groups are added from the newest message backwards until they come to `keep`
 * tokens. The newest group is part of it whatever its size, and so is all that is held by a call without its result.
 */
const tailFrom = (cuts: readonly number[], tokensFrom: (at: number) => number, keep: number): number => {
  const tooSmall = firstPlace(cuts.length, (place) => tokensFrom(cuts[place] ?? 0) < keep);
  return cuts[tooSmall - 1] ?? 0;
};
