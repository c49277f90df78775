/** Something to choose, the keys that it would keep, and about what it costs. */
export type Coverable = { readonly keys: Iterable<string>; readonly cost: number; readonly boost: number };

/** Each round takes what gains at least this share of what the round before asked for. */
const STEP = 0.8;
const ROUNDS_MAX = 40;

/**
 * Chooses, best first and up to `budget`, what covers the most value of keys for its cost: a key counts once, for
 * the first that holds it. Greedy by falling thresholds, so that no candidate is looked at more than
 * {@link ROUNDS_MAX} times; the order is that of the rounds, then that of the list.
 */
export const cover = <Candidate extends Coverable>(
  candidates: readonly Candidate[],
  value: (key: string) => number,
  budget: number,
): readonly Candidate[] => {
  const covered = new Set<string>();
  const gainOf = ({ keys, cost, boost }: Candidate): number => {
    let gain = 0;
    for (const key of keys) if (!covered.has(key)) gain += value(key);
    return (gain * boost) / cost;
  };
  const chosen: Candidate[] = [];
  let left = budget;
  let open = candidates;
  let threshold = candidates.reduce((best, candidate) => Math.max(best, gainOf(candidate)), 0);
  for (let round = 0; round < ROUNDS_MAX && left > 0 && open.length > 0 && threshold > 0; round += 1) {
    threshold *= STEP;
    const later: Candidate[] = [];
    for (const candidate of open) {
      const gain = gainOf(candidate);
      if (gain <= 0 || candidate.cost > left) continue; // It can only lose by waiting.
      if (gain < threshold) {
        later.push(candidate);
        continue;
      }
      chosen.push(candidate);
      left -= candidate.cost;
      for (const key of candidate.keys) covered.add(key);
    }
    open = later;
  }
  return chosen;
};
