import type { Profile } from '../../profiles/profile.js';
import type { OpenSession } from '../../session/state.js';
import { firstPlaceOfTurn } from '../../turns/carried.js';
import type { Layout } from '../../turns/cuts.js';
import { firstPlace } from '../../turns/first-place.js';
import type { Measure } from './measure.js';
import { protectedFrom } from './protected.js';

export type CutChoice = {
  /** The place of the first entry that stays; 0 where everything would. */
  readonly at: number;
  /** The place before which it would have been cut, had all stayed that the policy protects. */
  readonly wantedAt: number;
  /** What stays of what the policy protects, and how much it wants, where that is less. */
  readonly shrunk?: Shrunk;
};
export type Shrunk = {
  readonly by: 'turns' | 'tokens';
  readonly wanted: number;
  readonly kept: number;
};

/**
 * Where to cut: before what is protected, or, where that leaves too much and the policy lets it yield,
 * before less of it, down to the newest group. Turns go one by one, and the newest is split at the first group that
 * fits; a tail of tokens goes group by group.
 *
 * @param fits whether a cut leaves no more than it may; where it does, it does at all places that follow.
 */
export const chooseCut = (
  session: OpenSession,
  layout: Layout,
  profile: Profile,
  measure: Measure,
  fits: (at: number) => boolean,
): CutChoice => {
  const { cuts } = layout;
  const wanted = lastUpTo(cuts, protectedFrom(session, layout, profile, measure));
  if (profile.protection === 'strict' || fits(wanted)) return { at: wanted, wantedAt: wanted };
  const choice =
    profile.keepBy === 'turns'
      ? withFewerTurns(session, cuts, profile.keepRecentTurns, fits)
      : withFewerTokens(cuts, wanted, profile.keepRecentTokens, measure, fits);
  return { ...choice, wantedAt: wanted };
};
type Fewer = Omit<CutChoice, 'wantedAt'>;

const withFewerTurns = (
  { entries, turn: newest }: OpenSession,
  cuts: readonly number[],
  wanted: number,
  fits: (at: number) => boolean,
): Fewer => {
  const before = (turns: number): number => lastUpTo(cuts, firstPlaceOfTurn(entries, newest - turns + 1));
  for (let turns = Math.min(wanted - 1, newest); turns >= 1; turns -= 1) {
    const at = before(turns);
    if (fits(at)) return { at, shrunk: { by: 'turns', kept: turns, wanted } };
  }
  const whole = before(1);
  const split = firstThatFits(cuts, whole, fits);
  const turns = split > whole ? 0 : 1;
  return { at: split, ...(turns < wanted && { shrunk: { by: 'turns', kept: turns, wanted } }) };
};

const withFewerTokens = (
  cuts: readonly number[],
  from: number,
  wanted: number,
  { tokensFrom }: Measure,
  fits: (at: number) => boolean,
): Fewer => {
  const at = firstThatFits(cuts, from, fits);
  return at === from ? { at } : { at, shrunk: { by: 'tokens', kept: tokensFrom(at), wanted } };
};

/** The first of the cuts behind `from` that fits, or the last one where none does; `from` where none is behind it. */
const firstThatFits = (cuts: readonly number[], from: number, fits: (at: number) => boolean): number => {
  const behind = firstPlace(cuts.length, (place) => (cuts[place] ?? 0) > from);
  for (let place = behind; place < cuts.length; place += 1) {
    const at = cuts[place];
    if (at !== undefined && fits(at)) return at;
  }
  return behind < cuts.length ? (cuts.at(-1) ?? from) : from;
};

/** The last of the cuts that is no later than `place`; 0 where there is none. */
const lastUpTo = (cuts: readonly number[], place: number): number =>
  cuts[firstPlace(cuts.length, (one) => (cuts[one] ?? 0) > place) - 1] ?? 0;
