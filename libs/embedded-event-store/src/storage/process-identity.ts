import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * A process, told apart from every other one that had or will have its number: a pid alone is used again.
 * `started` is `unknown` where the system does not tell.
 */
export type ProcessIdentity = {
  readonly pid: number;
  readonly started: string;
  /** Within which process numbers mean anything: the machine's boot, and the container's namespace. */
  readonly namespace?: string;
};

export const ownIdentity = (): ProcessIdentity => ({
  pid: process.pid,
  started: startOf(process.pid),
  namespace: ownNamespace(),
});

/** Whether the number of that process can be looked up here. */
export const isOfThisMachine = ({ namespace }: ProcessIdentity): boolean =>
  namespace === undefined || namespace === ownNamespace();

const ownNamespace = (): string => {
  if (process.platform !== 'linux') return hostname();
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname(); // Without /proc, a container's name is its own.
  }
};

/** Whether that very process still runs. In doubt yes: to refuse a start harms less than two writers. */
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
    // EPERM: it runs, as somebody else.
    return fault instanceof Error && 'code' in fault && fault.code === 'EPERM';
  }
};

/** On Linux the boot and the tick of the process's start; elsewhere what `ps` says. */
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
  // The name of the program may hold blanks and parentheses: the fields count from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  // A zombie is dead: only its parent has not taken notice yet.
  return state === 'Z' ? 'ended' : `${boot}/${start}`;
};
