import { mkdirSync } from 'node:fs';
import { AppError } from '@app/kernel';
import { diskFault } from './disk-faults.js';
import type { Engine } from './engine.js';
import { type FolderLock, lockFolder } from './folder-lock.js';
import { openJournaled } from './journal/journaled-engine.js';
import { openLmdb } from './lmdb-engine.js';

/** The layout of keys and records. Raise it when an older program could not read the folder any more. */
const FORMAT_VERSION = 2;
const FORMAT_KEY = Buffer.from('format');

export type DataFolder = { readonly engine: Engine; readonly lock: FolderLock };

/**
 * Opens a data folder, and makes it where it does not exist.
 *
 * @throws {AppError} `data-folder-in-use`, `data-folder-newer`, `data-folder-unusable`, `disk-full`.
 */
export const openFolder = async (folder: string): Promise<DataFolder> => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 }); // It holds what people wrote.
  } catch (fault) {
    throw diskFault(fault, folder, 'making it');
  }
  const lock = lockFolder(folder);
  try {
    const lmdb = openLmdb(folder);
    try {
      await checkFormat(lmdb, folder);
      return { engine: openJournaled(folder, lmdb), lock };
    } catch (fault) {
      await lmdb.close();
      throw fault;
    }
  } catch (fault) {
    lock.release();
    throw fault;
  }
};

const checkFormat = async (engine: Engine, folder: string): Promise<void> => {
  const stored = engine.get('about', FORMAT_KEY);
  const version = stored ? Number(stored.toString('utf8')) : 0;
  if (version > FORMAT_VERSION)
    throw new AppError(
      'data-folder-newer',
      `the data folder ${folder} has format ${version}; this version reads up to ${FORMAT_VERSION}: use a newer one`,
    );
  // An older format lacks only the journal, which an older version in turn would leave unread.
  if (version < FORMAT_VERSION)
    await engine.commit([{ table: 'about', key: FORMAT_KEY, value: Buffer.from(String(FORMAT_VERSION)) }]);
};
