import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isErrno } from '../failures.js';

/** Identifies a process beyond its pid, which the system reuses. */
export type ProcessIdentity = { readonly pid: number; readonly started: string };

/** The start time of another user's process under `hidepid`: it runs, and no more is known. */
const HIDDEN = 'hidden';

/** Returns the process with `pid`; `undefined` if there is none, or only a zombie. */
export const processWith = (pid: number): ProcessIdentity | undefined => {
  const started = process.platform === 'linux' ? startedOnLinux(pid) : startedByPs(pid);
  return started === undefined ? undefined : { pid, started };
};

/** Whether that very process still runs. */
export const isRunning = ({ pid, started }: ProcessIdentity): boolean => {
  const now = processWith(pid);
  return now !== undefined && (now.started === started || now.started === HIDDEN || started === HIDDEN);
};

/** Whether the pid is in use, even by a zombie, which is all that PostgreSQL checks. */
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
  // The second field is the program's name in parentheses, and may contain spaces and parentheses itself.
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

/** Returns the text of a file; `undefined` if it cannot be read. */
export const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};
