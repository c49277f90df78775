import { execFileSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { clusterOf, postmasterPidFileOf } from '../layout.js';
import { inUse } from '../ownership/own-folder.js';
import { isPidTaken, processWith, textOf } from '../ownership/process-identity.js';
import { MARK } from './settings.js';
import { stopProcess } from './stop-process.js';

/**
 * Stops the server that a killed supervisor has left, if any. Only the owner of the data folder may call it.
 *
 * The pid in `postmaster.pid` may belong to another process by now. PostgreSQL checks only whether the pid is in use,
 * and does not start beside an unrelated process or a zombie, nor with an empty file; so such a file is removed.
 * PostgreSQL still checks that the shared memory of the old server is free.
 * @throws {AppError} `data-folder-in-use` if an unsupervised server runs on the cluster.
 */
export const stopOrphan = async (dataDir: string): Promise<void> => {
  const cluster = clusterOf(dataDir);
  const record = textOf(postmasterPidFileOf(cluster));
  if (record === undefined) return;
  const pid = pidIn(record);
  if (pid !== undefined && !isPidTaken(pid)) return; // PostgreSQL handles this case itself.
  const postmaster = pid === undefined ? undefined : processWith(pid);
  if (postmaster === undefined || !serves(postmaster.pid, cluster)) {
    rmSync(postmasterPidFileOf(cluster), { force: true });
  } else if (!commandOf(postmaster.pid).includes(MARK) || !(await stopProcess(postmaster))) {
    throw inUse(dataDir, postmaster.pid);
  }
};

/** Returns `undefined` for a file emptied by a power failure. */
const pidIn = (record: string): number | undefined => {
  const pid = Number.parseInt(record, 10);
  return pid > 0 ? pid : undefined;
};

/** Whether that process is a postmaster of this very folder, by any path. */
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
    return undefined; // Not readable for another user's process.
  }
};

/** Returns the command line of a process; empty if it is not readable. */
const commandOf = (pid: number): string => {
  if (process.platform === 'linux') return (textOf(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ');
  try {
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
};
