import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Account } from './account.js';

const READ = 4;
const EXECUTE = 1; // For a folder: to enter it.

/** Whether an account may read the file (execute a program), and enter every folder on its path. */
export const canReach = (path: string, account: Account, what: 'file' | 'program' | 'folder'): boolean =>
  [path, realpathSync(path)].every((way) =>
    foldersAbove(way).every((folder) => allows(folder, account, EXECUTE)),
  ) &&
  allows(path, account, READ) &&
  (what === 'file' || allows(path, account, EXECUTE));

const foldersAbove = (path: string): readonly string[] => {
  const parent = dirname(path);
  return parent === path ? [] : [...foldersAbove(parent), parent];
};

/** Checks the mode only. If an ACL differs, the account gets more help than it needs, or fails. */
const allows = (path: string, { uid, gid }: Account, bit: number): boolean => {
  const found = statSync(path);
  const shift = found.uid === uid ? 6 : found.gid === gid ? 3 : 0;
  return ((found.mode >> shift) & bit) !== 0;
};
