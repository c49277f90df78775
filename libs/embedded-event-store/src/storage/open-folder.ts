import { mkdirSync } from 'node:fs';
import { AppError } from '@app/kernel';
import { diskFault } from './disk-faults.js';
import type { Engine } from './engine.js';
import { type FolderLock, lockFolder } from './folder-lock.js';
import { openLmdb } from './lmdb-engine.js';

/** The layout of keys and records. Raise it when an older program could not read the folder any more. */
const FORMAT_VERSION = 1;
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
    const engine = openLmdb(folder);
    await checkFormat(engine, folder);
    return { engine, lock };
  } catch (fault) {
    lock.release();
    throw fault;
  }
};

const checkFormat = async (engine: Engine, folder: string): Promise<void> => {
  try {
    const stored = engine.get('about', FORMAT_KEY);
    if (!stored) {
      await engine.commit([{ table: 'about', key: FORMAT_KEY, value: Buffer.from(String(FORMAT_VERSION)) }]);
      return;
    }
    const version = Number(stored.toString('utf8'));
    if (version <= FORMAT_VERSION) return;
    throw new AppError(
      'data-folder-newer',
      `the data folder ${folder} has format ${version}; this version reads up to ${FORMAT_VERSION}: use a newer one`,
    );
  } catch (fault) {
    await engine.close();
    throw fault;
  }
};
