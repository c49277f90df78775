// Temporary folders of specs in memory, where the system has room for them. A suite creates and removes some hundred database
// clusters of 1,500 files each: on a disk that costs a quarter of its processor time, and specs wait for the disk as well.
// Nothing that specs check is lost: they kill processes, which the files of a file system in memory outlive too.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const NAME = /^palimpsest-(\d+)-/;
/** More than ten times the space that concurrent specs use; the same space must stay free beside it. */
const ROOM_BYTES = 4 * 1024 ** 3;
/** Servers that a failed spec has left may still write. */
const REMOVING = { recursive: true, force: true, maxRetries: 5 };

/** Makes a folder for the process that calls it, which lasts as long as that; `undefined` where there is no room. */
export const makeTestFolder = () => {
  if (!hasRoom()) return undefined;
  removeAbandoned();
  const folder = mkdtempSync(join(MEMORY, `palimpsest-${process.pid}-`));
  // As root, PostgreSQL runs as another user, who must be able to enter.
  chmodSync(folder, 0o755);
  process.once('exit', () => remove(folder));
  return folder;
};

const hasRoom = () => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES && freemem() >= 2 * ROOM_BYTES;
  } catch {
    return false; // Not on Linux.
  }
};

/** Folders of processes that were killed. */
const removeAbandoned = () => {
  for (const name of readdirSync(MEMORY)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid)) remove(join(MEMORY, name));
  }
};

/** What cannot be removed stays: it takes room, but it is no reason to fail. */
const remove = (folder) => {
  try {
    // Specs that fill a disk were killed with it.
    for (const mounted of mountsBelow(folder)) execFileSync('umount', ['-l', mounted], { stdio: 'ignore' });
    rmSync(folder, REMOVING);
  } catch (error) {
    console.warn(`${folder} is left: ${error.message}`);
  }
};

const mountsBelow = (folder) =>
  readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${folder}/`));

const isRunning = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};
