import type { OpenSession } from '../../session/state.js';
import type { Profile } from '../profile.js';
import type { Layout } from './cuts.js';

export type CutChoice = {
  /** The place of the first entry that stays; 0 where everything would. */
  readonly at: number;
  /** Whole turns from the cut on, and how many the policy wanted. */
  readonly turns: number;
  readonly wanted: number;
};

/**
 * Where to cut: before the protected turns, or, where those leave no room for the target and the policy lets
 * them yield, before fewer of them, down to the newest, which is split at the first group that fits.
 *
 * @param sizeAfter tokens of the context if it is cut at a place; falls as the place rises.
 * @param target tokens to reach; `undefined` where the window is unlimited.
 */
export const chooseCut = (
  session: OpenSession,
  { cuts }: Layout,
  profile: Profile,
  sizeAfter: (at: number) => number,
  target: number | undefined,
): CutChoice => {
  const wanted = profile.keepRecentTurns;
  const fits = (at: number): boolean => target === undefined || sizeAfter(at) <= target;
  const before = (turns: number): number => {
    const start = session.entries.findIndex((entry) => entry.turn > session.turn - turns);
    return cuts.findLast((cut) => cut <= start) ?? 0;
  };
  const protectedCut = before(wanted);
  if (fits(protectedCut) || profile.protection === 'strict')
    return { at: protectedCut, turns: wanted, wanted };

  for (let turns = wanted - 1; turns >= 1; turns -= 1) {
    const at = before(turns);
    if (fits(at)) return { at, turns, wanted };
  }
  const inNewest = cuts.filter((cut) => cut > before(1));
  const split = inNewest.find(fits) ?? inNewest.at(-1) ?? before(1);
  return { at: split, turns: split > before(1) ? 0 : 1, wanted };
};
