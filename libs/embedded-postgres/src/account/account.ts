import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { clusterOf } from '../layout.js';

/** The user that PostgreSQL runs as if this process is root, which PostgreSQL refuses. */
export type Account = { readonly uid: number; readonly gid: number };

export const ROOT = 0;
/** The uid of `nobody` on Linux. */
const LINUX_NOBODY = 65_534;

/** Whether this process is root, and PostgreSQL needs another user. Always false on Windows. */
export const isRoot = (): boolean => process.geteuid?.() === ROOT;

/**
 * Returns the owner of the data, else the owner of the nearest enclosing folder, so that a project works with and
 * without `sudo`; `nobody` if root owns all of them.
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

/** Returns `undefined` for a missing path or root. */
const ownerOf = (path: string): Account | undefined => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.uid === ROOT) return undefined;
  return { uid: found.uid, gid: found.gid === ROOT ? nobody().gid : found.gid };
};

const nobody = (): Account => ({
  uid: numberFrom('-u', 'nobody') ?? LINUX_NOBODY,
  gid: numberFrom('-g', 'nobody') ?? LINUX_NOBODY,
});

/** initdb requires a user name: a uid without an entry in the user database is unusable. */
const hasName = (uid: number): boolean => numberFrom('-u', String(uid)) === uid;

const numberFrom = (flag: '-u' | '-g', user: string): number | undefined => {
  const { status, stdout } = spawnSync('id', [flag, user], { encoding: 'utf8' });
  return status === 0 ? Number(stdout.trim()) : undefined;
};
