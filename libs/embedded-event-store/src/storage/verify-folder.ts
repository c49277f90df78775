import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@app/kernel';
import { diskFault } from './disk-faults.js';
import { type FolderLock, lockFolder } from './folder-lock.js';
import type { CheckProgress } from './integrity/check-database.js';
import { checkInChildProcess } from './integrity/examine-database.js';
import { DATABASE_FILE } from './lmdb-engine.js';
import { openEngine } from './open-folder.js';

type FolderCheck = {
  readonly events: number;
  /** Database entries, including those of the indexes. */
  readonly entries: number;
  /** The first position after the last event. */
  readonly position: number;
  /** Descriptions of the problems; empty if the folder is intact. */
  readonly problems: readonly string[];
};

/**
 * Reads the whole data folder of a stopped server: mark, journal, checksums, and each database entry. Moves journal
 * content of a crash to the database, as a start does, if the folder is intact.
 * @throws {AppError} `data-folder-in-use`, `data-folder-newer`, `data-folder-unusable`, `disk-full`.
 */
export const verifyFolder = async (
  folder: string,
  onProgress?: (progress: CheckProgress) => void,
): Promise<FolderCheck> => {
  if (isEmpty(folder))
    throw new AppError(
      'data-folder-unusable',
      `the folder ${folder} contains no event log: name another data folder`,
    );
  const lock = lockFolder(folder);
  try {
    const problems = await problemsOfOpening(folder, lock);
    const hasDatabase = existsSync(join(folder, DATABASE_FILE));
    const check = hasDatabase
      ? await checkInChildProcess(folder, onProgress)
      : { events: 0, entries: 0, position: 0, problems: [] };
    return { ...check, problems: [...problems, ...check.problems] };
  } finally {
    lock.release();
  }
};

const isEmpty = (folder: string): boolean => {
  try {
    return !existsSync(folder) || readdirSync(folder).length === 0;
  } catch (fault) {
    throw diskFault(fault, folder, 'opening it');
  }
};

const problemsOfOpening = async (folder: string, lock: FolderLock): Promise<string[]> => {
  try {
    await (await openEngine(folder, lock)).close();
    return [];
  } catch (fault) {
    if (fault instanceof AppError && ['data-folder-damaged', 'corrupt-event'].includes(fault.code))
      return [fault.message];
    throw fault;
  }
};
