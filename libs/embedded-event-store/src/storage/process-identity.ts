import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Identifies a process beyond its pid, which the system reuses. `started` is `unknown` if the system does not report
 * it.
 */
export type ProcessIdentity = {
  readonly pid: number;
  readonly started: string;
  /** The scope of the pid: the machine's boot, and the container's pid namespace. */
  readonly namespace?: string;
};

export const ownIdentity = (): ProcessIdentity => ({
  pid: process.pid,
  started: startOf(process.pid),
  namespace: ownNamespace(),
});

/** Whether this process can look up that pid. */
export const isOfThisMachine = ({ namespace }: ProcessIdentity): boolean =>
  namespace === undefined || namespace === ownNamespace();

const ownNamespace = (): string => {
  if (process.platform !== 'linux') return hostname();
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname(); // Without /proc: a container has its own hostname.
  }
};

/** Whether that very process still runs. Returns true in doubt: a rejected start is less harmful than two writers. */
export const isRunning = ({ pid, started }: ProcessIdentity): boolean => {
  if (!exists(pid)) return false;
  const startedNow = startOf(pid);
  return started === UNKNOWN || startedNow === UNKNOWN || startedNow === started;
};

const UNKNOWN = 'unknown';

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    // EPERM: it runs as another user.
    return fault instanceof Error && 'code' in fault && fault.code === 'EPERM';
  }
};

/** Returns boot id and start tick on Linux, the start time by `ps` elsewhere. */
const startOf = (pid: number): string => {
  try {
    if (process.platform === 'linux') return linuxStartOf(pid);
    if (process.platform === 'win32') return UNKNOWN;
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || UNKNOWN;
  } catch {
    return UNKNOWN;
  }
};

const linuxStartOf = (pid: number): string => {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The program name may contain spaces and parentheses: the fields count from after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  // A zombie has ended; its parent has not reaped it yet.
  return state === 'Z' ? 'ended' : `${boot}/${start}`;
};
