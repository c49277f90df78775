/** A prepared case of one size; preparation is not measured. */
type Prepared = () => unknown;
export type Prepare = (size: number) => Prepared | Promise<Prepared>;

/** The growth of a case's CPU time. `times` are milliseconds of CPU at 1, 2, 4 and 8 times its size. */
export type Growth = { readonly times: readonly number[]; readonly mean: number; readonly last: number };

/** The maximum growth per doubling, as the mean of three, and of the last doubling, where 4 is quadratic. */
export const GROWTH_MAX = 2.3;
const LAST_MAX = 3;

const FACTORS = [1, 2, 4, 8];
/** Below this time at the largest size growth is noise: the sizes exclude quadratic growth. Milliseconds. */
const NEGLIGIBLE_MS = 12;
/** Added to each time: the fixed cost of a call, and the error of the CPU clock. */
const FLOOR_MS = 1;
/**
 * Below this growth no second measurement is needed: quadratic growth would show 4, or 3 beside an equal linear part.
 */
const CLEARLY_LINEAR = 2.2;
const ROUNDS = 5;
/** Number of rounds that suffice within the limit. */
const ROUNDS_MIN = 2;
/** Number of measurements before a growth above the limit counts. */
const TRIES = 6;

/**
 * Measures the growth of CPU time with the size, as the minimum of up to five rounds per size, since other processes
 * and the garbage collector only add time. Returns `undefined` if it is negligible at the largest size.
 * @param prepare prepares the measured work for a size; called for each run, so that no run reuses another's results.
 */
export const growthOf = async (prepare: Prepare, size: number): Promise<Growth | undefined> => {
  const last = await cpuMs(prepare, size * 8);
  if (last < NEGLIGIBLE_MS) return undefined;
  const first = await cpuMs(prepare, size);
  const mean = ((last + FLOOR_MS) / (first + FLOOR_MS)) ** (1 / 3);
  if (mean <= CLEARLY_LINEAR) return { times: [first, 0, 0, last], mean, last: mean };
  let growth = await measured(prepare, size);
  for (let attempt = 1; attempt < TRIES && isTooMuch(growth); attempt += 1)
    growth = await measured(prepare, size);
  if (growth.last <= LAST_MAX || growth.mean > GROWTH_MAX) return growth;
  return { ...growth, last: Math.min(growth.last, await growthBetween(prepare, size * 8, size * 16)) };
};

/** One more doubling tells growth from a step at one size, such as a larger collection of garbage from there on. */
const growthBetween = async (prepare: Prepare, size: number, twice: number): Promise<number> => {
  const [once, both]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    once.push(await cpuMs(prepare, size));
    both.push(await cpuMs(prepare, twice));
  }
  return (Math.min(...both) + FLOOR_MS) / (Math.min(...once) + FLOOR_MS);
};

export const isTooMuch = ({ mean, last }: Growth): boolean => mean > GROWTH_MAX || last > LAST_MAX;

const measured = async (prepare: Prepare, size: number): Promise<Growth> => {
  const rounds: number[][] = [];
  for (let round = 1; ; round += 1) {
    const times: number[] = [];
    for (const factor of FACTORS) times.push(await cpuMs(prepare, size * factor));
    rounds.push(times);
    const growth = growthIn(rounds);
    if (round === ROUNDS || (round >= ROUNDS_MIN && !isTooMuch(growth))) return growth;
  }
};

const growthIn = (rounds: readonly (readonly number[])[]): Growth => {
  const times = FACTORS.map((_, at) => Math.min(...rounds.map((round) => round[at] ?? 0)));
  const [first = 0, , third = 0, fourth = 0] = times.map((time) => time + FLOOR_MS);
  return { times, mean: (fourth / first) ** (1 / 3), last: fourth / third };
};

/** Returns the milliseconds of CPU of one run, over all threads of the process. */
const cpuMs = async (prepare: Prepare, size: number): Promise<number> => {
  const run = await prepare(size);
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};
