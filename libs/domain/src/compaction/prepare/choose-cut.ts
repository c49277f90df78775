import type { Profile } from '../../profiles/profile.js';
import type { OpenSession } from '../../session/state.js';
import type { Layout } from '../../turns/cuts.js';
import { firstPlace, firstPlaceOfTurn } from '../../turns/turns-of.js';
import { type Measure, protectedFrom } from './measure.js';

export type CutChoice = {
  /** The place of the first entry that stays; 0 where everything would. */
  readonly at: number;
  /** The place before which it would have been cut, had all stayed that the policy protects. */
  readonly wantedAt: number;
  /** Set if less stays than the policy protects: the requested and the actual size. */
  readonly shrunk?: Shrunk;
};
export type Shrunk = {
  readonly by: 'turns' | 'tokens';
  readonly wanted: number;
  readonly kept: number;
};

/**
 * Returns the cut: before the protected part, or, if that leaves too much and the policy allows it, later, down to
 * the newest group. Turns are given up one by one, and the newest is split at the first group that fits; a tail of
 * tokens is given up group by group.
 *
 * @param fits whether a cut leaves at most the allowed tokens; monotonic over later cuts.
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

/** Returns the first cut after `from` that fits, else the last one; `from` without a later cut. */
const firstThatFits = (cuts: readonly number[], from: number, fits: (at: number) => boolean): number => {
  const behind = firstPlace(cuts.length, (place) => (cuts[place] ?? 0) > from);
  for (let place = behind; place < cuts.length; place += 1) {
    const at = cuts[place];
    if (at !== undefined && fits(at)) return at;
  }
  return behind < cuts.length ? (cuts.at(-1) ?? from) : from;
};

/** Returns the last cut at or before `place`, else 0. */
const lastUpTo = (cuts: readonly number[], place: number): number =>
  cuts[firstPlace(cuts.length, (one) => (cuts[one] ?? 0) > place) - 1] ?? 0;
