import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Account } from './account.js';

const READ = 4;
const EXECUTE = 1; // For a folder: to pass through it.

/** Whether an account may read (and, for a program, run) the file, with every folder on the way to it. */
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

/**
 * By the mode alone. An access list may say otherwise; then the account gets more help than it needs, or
 * fails.
 */
const allows = (path: string, { uid, gid }: Account, bit: number): boolean => {
  const found = statSync(path);
  const shift = found.uid === uid ? 6 : found.gid === gid ? 3 : 0;
  return ((found.mode >> shift) & bit) !== 0;
};
