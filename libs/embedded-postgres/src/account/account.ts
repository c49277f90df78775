import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { clusterOf } from '../layout.js';

/** Who PostgreSQL runs as where we are root, which it refuses to run as. */
export type Account = { readonly uid: number; readonly gid: number };

export const ROOT = 0;
/** The number that Linux and its distributions agree on. */
const LINUX_NOBODY = 65_534;

/** Whether this process is root, so that somebody else has to be found. Never so on Windows. */
export const isRoot = (): boolean => process.geteuid?.() === ROOT;

/**
 * Whoever owns the data, else whoever the nearest enclosing folder belongs to, so that the same project may
 * be used with and without `sudo`; `nobody` where all of them are root's.
 */
export const chooseAccount = (dataDir: string): Account => {
  const cluster = ownerOf(clusterOf(dataDir));
  if (cluster !== undefined) return cluster;
  for (let folder = dataDir; ; folder = dirname(folder)) {
    const owner = ownerOf(folder);
    if (owner !== undefined && hasName(owner.uid)) return owner;
    if (folder === dirname(folder)) return nobody();
  }
};

/** `undefined` where nothing is there, or root's. */
const ownerOf = (path: string): Account | undefined => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.uid === ROOT) return undefined;
  return { uid: found.uid, gid: found.gid === ROOT ? nobody().gid : found.gid };
};

const nobody = (): Account => ({
  uid: numberFrom('-u', 'nobody') ?? LINUX_NOBODY,
  gid: numberFrom('-g', 'nobody') ?? LINUX_NOBODY,
});

/** initdb insists on a name for its user: an id without an entry in the list of users is of no use to it. */
const hasName = (uid: number): boolean => numberFrom('-u', String(uid)) === uid;

const numberFrom = (flag: '-u' | '-g', user: string): number | undefined => {
  const { status, stdout } = spawnSync('id', [flag, user], { encoding: 'utf8' });
  return status === 0 ? Number(stdout.trim()) : undefined;
};
