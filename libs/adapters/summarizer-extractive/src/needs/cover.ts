/** A candidate: its keys, its approximate cost, and its factor for the worth of keys. */
export type Coverable = { readonly keys: Iterable<string>; readonly cost: number; readonly boost: number };

/** Ratio between two levels; gains below the last level are ignored. */
const STEP = 0.93;
const LEVELS = 160;

/**
 * Offers candidates to `take` by the highest worth of keys per cost; a key counts once, for the first candidate taken
 * with it. Greedy and lazy with a bucketed queue: a candidate that lost gain sinks to a lower level, so that each is
 * visited at most {@link LEVELS} times. Equal candidates keep list order.
 *
 * @param take returns whether it was taken; `undefined` ends the search.
 */
export const cover = <Candidate extends Coverable>(
  candidates: readonly Candidate[],
  worth: (key: string) => number,
  covered: Set<string>,
  take: (candidate: Candidate) => boolean | undefined,
): void => {
  const gainOf = ({ keys, cost, boost }: Candidate): number => {
    let gain = 0;
    for (const key of keys) if (!covered.has(key)) gain += worth(key);
    return (gain * boost) / cost;
  };
  const gains = candidates.map(gainOf);
  const floors = floorsBelow(gains.reduce((best, gain) => Math.max(best, gain), 0));
  const levels: Candidate[][] = floors.map(() => []);
  for (const [at, candidate] of candidates.entries())
    levels[levelOf(gains[at] ?? 0, floors)]?.push(candidate);

  for (const [level, waiting] of levels.entries())
    for (const candidate of waiting) {
      const now = levelOf(gainOf(candidate), floors);
      if (now > level) {
        levels[now]?.push(candidate);
        continue;
      }
      const isTaken = take(candidate);
      if (isTaken === undefined) return;
      if (isTaken) for (const key of candidate.keys) covered.add(key);
    }
};

/** The least gains of the levels, highest first. */
const floorsBelow = (best: number): readonly number[] => {
  const floors: number[] = [];
  for (let floor = best * STEP; floors.length < LEVELS && floor > 0; floor *= STEP) floors.push(floor);
  return floors;
};

/** Returns the first level whose floor `gain` reaches; past the end if none. */
const levelOf = (gain: number, floors: readonly number[]): number => {
  let low = 0;
  let high = floors.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((floors[middle] ?? 0) <= gain) high = middle;
    else low = middle + 1;
  }
  return low;
};
