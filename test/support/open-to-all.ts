import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

/** Who everybody is that is nobody else. */
export const NOBODY = 65_534;

/** Whether this very installation can be read by an ordinary user as whom root could run it. */
export const isOpenToAll = (): boolean => {
  const file = join(resolve(import.meta.dirname, '../..'), 'package.json');
  const reads = ['-e', 'require("node:fs").readFileSync(process.argv[1])', file];
  return spawnSync(process.execPath, reads, { uid: NOBODY, gid: NOBODY, cwd: '/' }).status === 0;
};
