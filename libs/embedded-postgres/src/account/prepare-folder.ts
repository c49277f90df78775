import { accessSync, chownSync, constants, lchownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '@app/kernel';
import { OWN_SERVER } from '../failures.js';
import { isOwnFile, isSystemFile } from '../layout.js';
import { type Account, ROOT } from './account.js';

/**
 * Ensures that the data folder exists, is Palimpsest's, and is writable by PostgreSQL's user: `account`, or this
 * process's user if undefined. Changes the owner only of folders created here, and of the data folder with its
 * contents.
 * @throws {AppError} `data-folder-unusable` if it is no folder, contains foreign files, or is read-only.
 */
export const prepareFolder = (dataDir: string, account: Account | undefined): void => {
  const firstCreated = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  requireOurs(dataDir);
  if (account === undefined) {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return;
  }
  if (lstatSync(dataDir).uid === ROOT) {
    for (const name of readdirSync(dataDir).filter(isOwnFile)) chownRootFiles(join(dataDir, name), account);
    chownSync(dataDir, account.uid, account.gid);
  }
  if (firstCreated !== undefined) chownCreated(firstCreated, dataDir, account);
};

const requireOurs = (dataDir: string): void => {
  const foreign = readdirSync(dataDir).find((name) => !isOwnFile(name) && !isSystemFile(name));
  if (foreign === undefined) return;
  const text = `the folder ${dataDir} is not a Palimpsest data folder: it contains ${foreign}`;
  throw new AppError('data-folder-unusable', `${text}. Choose an empty one, ${OWN_SERVER}`);
};

/** Changes the owner of the parent folders created for the data folder. */
const chownCreated = (first: string, dataDir: string, { uid, gid }: Account): void => {
  for (let folder = dirname(dataDir); folder.length >= first.length; folder = dirname(folder))
    lchownSync(folder, uid, gid);
};

/**
 * Changes the owner of a folder of root's, new or restored from a backup, and of everything in it that root owns.
 * Contents come first: while root owns the folder, no other user can place a symbolic link in it.
 */
const chownRootFiles = (path: string, account: Account): void => {
  const found = lstatSync(path);
  if (found.uid !== ROOT) return;
  if (found.isDirectory()) for (const name of readdirSync(path)) chownRootFiles(join(path, name), account);
  lchownSync(path, account.uid, account.gid);
};
