/** One size of a case, prepared: what is measured, without its preparation. */
type Prepared = () => unknown;
export type Prepare = (size: number) => Prepared | Promise<Prepared>;

/** How the CPU time of a case grows. `times` are milliseconds of CPU at 1, 2, 4 and 8 times its size. */
export type Growth = { readonly times: readonly number[]; readonly mean: number; readonly last: number };

/** CPU time may grow by so much for each doubling, as the mean of three; and by so much for the last one, where 4 is quadratic. */
export const GROWTH_MAX = 2.3;
const LAST_MAX = 3;

const FACTORS = [1, 2, 4, 8];
/** A case that takes less at its largest size shows no growth that could be told from noise: its sizes rule out a square. */
const NEGLIGIBLE_MS = 12;
/** Added to each time: what a call takes whatever its size, and what the clock of CPU time may be off by. */
const FLOOR_MS = 1;
/** A first look that shows no more growth than this needs no second one: a square would show 4, or 3 beside as much that is linear. */
const CLEARLY_LINEAR = 2.2;
const ROUNDS = 5;
/** Fewer rounds suffice where they are within the limit. */
const ROUNDS_MIN = 2;
/** A growth over the limit is measured anew so often before it counts. */
const TRIES = 6;

/**
 * Measures how CPU time grows with a size, with the least of up to five rounds for each size: whatever else the machine and
 * the garbage collector do only adds time. `undefined` where it is negligible at the largest size.
 *
 * @param prepare makes what is measured, for a size; each run has its own, so that no run finds the results of another.
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
  return growth;
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

/** Milliseconds of CPU of one run, of all threads of the process. */
const cpuMs = async (prepare: Prepare, size: number): Promise<number> => {
  const run = await prepare(size);
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};
