import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

/** The uid and gid of a user without privileges. */
export const UNPRIVILEGED = 65_534;

/** Whether an ordinary user can read this installation, as root requires to run commands as that user. */
export const isOpenToAll = (): boolean => {
  const file = join(resolve(import.meta.dirname, '../..'), 'package.json');
  const reads = ['-e', 'require("node:fs").readFileSync(process.argv[1])', file];
  return spawnSync(process.execPath, reads, { uid: UNPRIVILEGED, gid: UNPRIVILEGED, cwd: '/' }).status === 0;
};
