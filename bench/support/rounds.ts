/** A measured alternative: runs once, and resolves with its measurement. */
export type Contestant = () => Promise<number> | number;

/**
 * Runs the contestants alternately, each once per round, and returns their measurements by round. Disturbances by the
 * machine affect all of them; the order changes between rounds. Discards the first `warmUps` rounds.
 */
export const takeTurns = async <Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  { rounds, warmUps }: { readonly rounds: number; readonly warmUps: number },
): Promise<ReadonlyMap<Name, readonly number[]>> => {
  const names = namesOf(contestants);
  const measured = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round += 1) {
    const first = (round + warmUps) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const value = await contestants[name]();
      if (round >= 0) measured.get(name)?.push(value);
    }
  }
  return measured;
};

/** Returns the duration of `work` in milliseconds. */
export const millisecondsOf = async (work: () => Promise<unknown> | unknown): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

/** Returns the quantile of `values` at `share`. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * Returns the median of the rounds' ratios of `values` to `peers`. A slow moment of the machine during a round
 * affects both sides of one ratio, but could shift one of two medians.
 */
export const ratioOf = (values: readonly number[], peers: readonly number[]): number =>
  median(values.map((value, round) => value / (peers[round] ?? Number.NaN)));

const namesOf = <Name extends string>(record: Readonly<Record<Name, unknown>>): readonly Name[] =>
  Object.keys(record) as Name[]; // The keys of the record are exactly its names.
