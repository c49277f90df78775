import { execFileSync } from 'node:child_process';

/** A process and everything that it has started, as far as that still runs. */
export const familyOf = (pid: number): readonly number[] => {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const parents = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const family = [pid];
  for (const parent of family)
    for (const [child, of] of parents) if (of === parent && child !== undefined) family.push(child);
  return family;
};
