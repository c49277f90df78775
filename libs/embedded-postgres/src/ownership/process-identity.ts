import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isErrno } from '../failures.js';

/** A process for good: the number is used again, the number together with the start of its holder is not. */
export type ProcessIdentity = { readonly pid: number; readonly started: string };

/** Where another user's process hides when it started (`hidepid`): it lives, and more cannot be known. */
const HIDDEN = 'hidden';

/** The process that holds `pid` now; `undefined` where none does, or only a zombie that nobody has reaped. */
export const processWith = (pid: number): ProcessIdentity | undefined => {
  const started = process.platform === 'linux' ? startedOnLinux(pid) : startedByPs(pid);
  return started === undefined ? undefined : { pid, started };
};

/** Whether the very process of that identity still runs. */
export const isRunning = ({ pid, started }: ProcessIdentity): boolean => {
  const now = processWith(pid);
  return now !== undefined && (now.started === started || now.started === HIDDEN || started === HIDDEN);
};

/** Whether the number is taken, be it by a zombie: PostgreSQL looks no further than that. */
export const isPidTaken = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, 'EPERM');
  }
};

const startedOnLinux = (pid: number): string | undefined => {
  const stat = textOf(`/proc/${pid}/stat`);
  if (stat === undefined) return isPidTaken(pid) ? HIDDEN : undefined;
  // The second field is the program's name in brackets and may hold blanks and brackets itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return `${textOf('/proc/sys/kernel/random/boot_id')?.trim()}:${fields[19]}`;
};

const startedByPs = (pid: number): string | undefined => {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined;
  }
};

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};
