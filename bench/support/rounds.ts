/** One way of doing the work: does it once, and resolves with what it measured. */
export type Contestant = () => Promise<number> | number;

/**
 * Lets the contestants take turns, each once in a round, and returns what each measured, round by round. Whatever
 * else the machine does falls on all of them; the order changes from round to round, so that nobody always follows
 * the same one. What the first `warmUps` rounds measure is thrown away.
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

/** How long `work` takes, in milliseconds. */
export const millisecondsOf = async (work: () => Promise<unknown> | unknown): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

/** The value that `share` of all values do not exceed. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * How `values` compare with `peers`: the median of the rounds' ratios. A slow moment of the machine that lasts a round
 * weighs on both sides of one ratio, where it would shift one of two medians.
 */
export const ratioOf = (values: readonly number[], peers: readonly number[]): number =>
  median(values.map((value, round) => value / (peers[round] ?? Number.NaN)));

const namesOf = <Name extends string>(record: Readonly<Record<Name, unknown>>): readonly Name[] =>
  Object.keys(record) as Name[]; // The keys of the record are exactly its names.
