/** One size of a case, prepared: what is measured, with nothing of the preparation in it. */
export type Prepared = () => unknown;

const DOUBLINGS = 3;
const RUNS = 5;

/**
 * Returns by how much CPU time grows for each doubling of a size, as the mean of three doublings: 2 is linear, 4 is quadratic. The time
 * of a size is the median of five runs.
 *
 * @param prepare makes what is measured, for a size; each run has its own, so that nothing is remembered from the run before.
 */
export const growthOf = async (
  prepare: (size: number) => Prepared | Promise<Prepared>,
  size: number,
): Promise<number> => {
  await timeOf(prepare, size); // The first calls compile.
  const first = await timeOf(prepare, size);
  const last = await timeOf(prepare, size * 2 ** DOUBLINGS);
  return (last / first) ** (1 / DOUBLINGS);
};

/** Microseconds of CPU. */
const timeOf = async (
  prepare: (size: number) => Prepared | Promise<Prepared>,
  size: number,
): Promise<number> => {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const measured = await prepare(size);
    const before = process.cpuUsage();
    await measured();
    const { user, system } = process.cpuUsage(before);
    times.push(user + system);
  }
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
};
