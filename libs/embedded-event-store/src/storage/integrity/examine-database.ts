import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJsonObject } from '@app/kernel';
import { DATABASE_FILE } from '../lmdb-engine.js';
import { runMaintenance } from '../maintenance/run-maintenance.js';
import type { CheckProgress, DatabaseCheck } from './check-database.js';
import { differenceOf, sumsOf } from './file-sums.js';
import { folderDamaged } from './folder-damaged.js';
import type { LogMark } from './log-mark.js';

/**
 * Verifies that the database may be opened: by its checksums after a graceful stop, else by reading every entry in a
 * child process. Does nothing for a database above `bytesMax`.
 * @throws {AppError} `data-folder-damaged`.
 */
export const examineDatabase = async (folder: string, mark: LogMark, bytesMax: number): Promise<void> => {
  const path = join(folder, DATABASE_FILE);
  const sums = mark.end?.isClosed ? mark.readSums() : undefined;
  if (sums) {
    const difference = differenceOf(sums, await sumsOf(path));
    if (difference) throw folderDamaged(`${path} ${difference}`);
    return;
  }
  if (statSync(path).size > bytesMax) return;
  const { problems } = await checkInChildProcess(folder);
  if (problems[0] !== undefined) throw folderDamaged(`${path}: ${problems[0]}`);
};

/** As {@link checkDatabase}, in a child process, whose crash counts as a problem. */
export const checkInChildProcess = async (
  folder: string,
  onProgress?: (progress: CheckProgress) => void,
): Promise<DatabaseCheck> => {
  const result = await runMaintenance('check', folder, onProgress);
  const check = result === undefined ? undefined : parseJsonObject(result);
  if (isCheck(check)) return check;
  return {
    entries: 0,
    events: 0,
    position: 0,
    problems: ['a page of the database is damaged, and reading it crashes the process'],
  };
};

const isCheck = (value: unknown): value is DatabaseCheck =>
  isJsonObject(value) && typeof value.entries === 'number' && Array.isArray(value.problems);
