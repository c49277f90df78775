import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const ROLES = ['cli', 'event-store', 'supervisor', 'postmaster', 'backend', 'initdb'] as const;
export type Role = (typeof ROLES)[number];
export type Process = { readonly pid: number; readonly role: Role };

/**
 * Returns the processes of a data folder, identified by command line, environment or working directory: PostgreSQL
 * overwrites the first two.
 */
export const processesOf = (dataDir: string): readonly Process[] =>
  readdirSync('/proc').flatMap((name): Process[] => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid || isDead(pid)) return [];
    const command = read(pid, 'cmdline').replaceAll('\0', ' ').trim();
    const mentions = command.includes(dataDir) || read(pid, 'environ').includes(dataDir);
    if (!mentions && !folderOf(pid).startsWith(dataDir)) return [];
    return [{ pid, role: roleOf(command) }];
  });

/** Kills processes; ignores exited ones. */
export const killAll = (processes: readonly Process[]): void => {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {}
  }
};

/** Resolves once no process of the folder runs, within the test's time limit. */
export const untilNone = async (dataDir: string): Promise<void> => {
  while (processesOf(dataDir).length > 0) await pause(20);
};

const roleOf = (command: string): Role => {
  if (command.includes('programs/event-store')) return 'event-store';
  if (command.includes('programs/postgres-supervisor')) return 'supervisor';
  if (command.startsWith('postgres: ')) return 'backend';
  if (/(^|\/)postgres /.test(command) && !/--(boot|check|single)/.test(command)) return 'postmaster';
  return /initdb|postgres/.test(command) && !command.includes('palimpsest.mjs') ? 'initdb' : 'cli';
};

const read = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};

const folderOf = (pid: number): string => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
};

/** Counts zombies as dead. */
const isDead = (pid: number): boolean => {
  const stat = read(pid, 'stat');
  return stat === '' || /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
};
