import { readFile } from 'node:fs/promises';
import { invariant } from '@app/kernel';

/** Linux reports CPU time in ticks of 10 ms to programs on every architecture (`USER_HZ`, proc(5)). */
const MS_PER_TICK = 10;

/** Returns the CPU time that a process has used so far, all its threads together, in milliseconds. */
export const cpuMsOf = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The program name is in parentheses, and may contain spaces.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  invariant(user !== undefined && system !== undefined, 'stat(5) has 52 fields');
  return (Number(user) + Number(system)) * MS_PER_TICK;
};
