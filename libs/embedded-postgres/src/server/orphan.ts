import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { clusterOf, postmasterPidFileOf } from '../layout.js';
import { inUse } from '../ownership/own-folder.js';
import { isPidTaken, processWith } from '../ownership/process-identity.js';
import { MARK } from './settings.js';
import { stopProcess } from './stop-process.js';

/**
 * Stops the server that a killed supervisor has left behind, if there is one. To be called by the owner of
 * the data folder alone.
 *
 * A number in `postmaster.pid` proves nothing: the process may have died, and another may bear its number
 * now. PostgreSQL itself only asks whether the number is taken, and would not start beside a stranger or a
 * zombie, nor with an empty file; so such a file is removed. That the memory of the old server is free,
 * PostgreSQL checks all the same.
 *
 * @throws {AppError} `data-folder-in-use` where somebody runs a server of their own on the cluster.
 */
export const stopOrphan = async (dataDir: string): Promise<void> => {
  const cluster = clusterOf(dataDir);
  const record = textOf(postmasterPidFileOf(cluster));
  if (record === undefined) return;
  const pid = pidIn(record);
  if (pid !== undefined && !isPidTaken(pid)) return; // PostgreSQL deals with this one itself.
  const postmaster = pid === undefined ? undefined : processWith(pid);
  if (postmaster === undefined || !serves(postmaster.pid, cluster)) {
    rmSync(postmasterPidFileOf(cluster), { force: true });
  } else if (!commandOf(postmaster.pid).includes(MARK) || !(await stopProcess(postmaster))) {
    throw inUse(dataDir, postmaster.pid);
  }
};

/** `undefined` in a file that a power failure has emptied. */
const pidIn = (record: string): number | undefined => {
  const pid = Number.parseInt(record, 10);
  return pid > 0 ? pid : undefined;
};

/** Whether that process is a postmaster of this very folder, under whatever path it knows it. */
const serves = (pid: number, cluster: string): boolean => {
  const workingFolder = process.platform === 'linux' ? folderAt(`/proc/${pid}/cwd`) : undefined;
  if (workingFolder !== undefined) return workingFolder === folderAt(cluster);
  return commandOf(pid).includes(cluster);
};

const folderAt = (path: string): string | undefined => {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined; // Another user's process keeps its folder to itself.
  }
};

/** The command line that started a process; empty where it cannot be read. */
const commandOf = (pid: number): string => {
  if (process.platform === 'linux') return (textOf(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ');
  try {
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
};

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};
