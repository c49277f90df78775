import { accessSync, chownSync, constants, lchownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '@app/kernel';
import { OWN_SERVER } from '../failures.js';
import { isNobodys, isOurs } from '../layout.js';
import { type Account, ROOT } from './account.js';

/**
 * Makes sure that the data folder exists, is ours, and can be written by whoever PostgreSQL will run as: by
 * `account`, or by this process' own user where that is undefined. Only folders created here, and the data
 * folder with its contents, ever change hands.
 *
 * @throws {AppError} `data-folder-unusable` where it is no folder, holds other people's files, or is
 *   read-only.
 */
export const prepareFolder = (dataDir: string, account: Account | undefined): void => {
  const firstCreated = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  requireOurs(dataDir);
  if (account === undefined) {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return;
  }
  if (lstatSync(dataDir).uid === ROOT) {
    for (const name of readdirSync(dataDir).filter(isOurs)) giveRootsOwn(join(dataDir, name), account);
    chownSync(dataDir, account.uid, account.gid);
  }
  if (firstCreated !== undefined) giveCreated(firstCreated, dataDir, account);
};

const requireOurs = (dataDir: string): void => {
  const stranger = readdirSync(dataDir).find((name) => !isOurs(name) && !isNobodys(name));
  if (stranger === undefined) return;
  const text = `the folder ${dataDir} is no data folder of Palimpsest: it holds ${stranger}`;
  throw new AppError('data-folder-unusable', `${text}. Choose an empty one, ${OWN_SERVER}`);
};

/** The folders that were made on the way to the data folder belong to its user too. */
const giveCreated = (first: string, dataDir: string, { uid, gid }: Account): void => {
  for (let folder = dirname(dataDir); folder.length >= first.length; folder = dirname(folder))
    lchownSync(folder, uid, gid);
};

/**
 * A folder of root's, new or restored from a backup by root, with all that root owns in it. The contents come
 * first: while the folder is still root's, nobody can put a link to somewhere else in the way.
 */
const giveRootsOwn = (path: string, account: Account): void => {
  const found = lstatSync(path);
  if (found.uid !== ROOT) return;
  if (found.isDirectory()) for (const name of readdirSync(path)) giveRootsOwn(join(path, name), account);
  lchownSync(path, account.uid, account.gid);
};
