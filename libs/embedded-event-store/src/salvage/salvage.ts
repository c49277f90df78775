import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@app/kernel';
import { LogMark, MARK_FILE } from '../storage/integrity/log-mark.js';
import { encodeLosses, LOST_KEY, type Loss } from '../storage/integrity/lost-ranges.js';
import { JOURNAL_FILES, MOVED_KEY } from '../storage/journal/journaled-engine.js';
import { DATABASE_FILE, openLmdb } from '../storage/lmdb-engine.js';
import { formatEntries } from '../storage/open-folder.js';
import { rebuildIndexes } from './rebuild-indexes.js';
import { Sink } from './sink.js';
import { readDatabase, readJournals } from './sources.js';

const SALVAGED_FILE = `${DATABASE_FILE}.salvaged`;

/**
 * Builds a new database from the readable entries of a damaged folder and replaces the old one; moves the damaged
 * files to a folder beside it. Rebuilds the indexes from the events, and records the losses in the table `about`.
 * Safe to repeat after a crash. Needs free disk space of the database's size.
 * @throws {AppError} `data-folder-damaged` if the database belongs to another log, `disk-full`.
 */
export const salvage = async (folder: string): Promise<Loss> => {
  for (const name of [SALVAGED_FILE, `${SALVAGED_FILE}-lock`]) rmSync(join(folder, name), { force: true });
  const mark = LogMark.open(folder);
  const expected = mark.end;
  mark.close();
  const target = openLmdb(folder, SALVAGED_FILE);
  const sink = new Sink(target);
  const source = await readDatabase(folder, sink);
  if (expected && source.logId !== undefined && source.logId !== expected.logId)
    throw new AppError(
      'data-folder-damaged',
      `${folder}/${DATABASE_FILE} belongs to another log than ${folder}/${MARK_FILE}: put the right file back, or restore the folder from a backup`,
    );
  const generation = await readJournals(folder, expected, source.moved, sink);
  await sink.flush();
  const gaps = await rebuildIndexes(target, expected?.position ?? 0);
  const damagedFiles = join(folder, `damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
  const known = source.losses.flatMap(({ ranges }) => ranges);
  const loss: Loss = {
    acceptedAt: new Date().toISOString(),
    reasons: [],
    ranges: gaps.filter((gap) => !known.some((range) => range.from <= gap.from && gap.to <= range.to)),
    otherEntries: source.otherEntries,
    damagedFiles,
    isRecorded: false,
  };
  const logId = expected?.logId ?? source.logId ?? randomBytes(16).toString('hex');
  const moved = Buffer.alloc(8);
  moved.writeBigUInt64BE(generation);
  await target.commit([
    ...formatEntries(logId),
    { table: 'about', key: MOVED_KEY, value: moved },
    { table: 'about', key: LOST_KEY, value: encodeLosses([...source.losses, loss]) },
  ]);
  await target.close();
  replaceFiles(folder, damagedFiles, logId, generation);
  return loss;
};

/** Moves the old files away, then the new ones into place: the database first, which invalidates the others. */
const replaceFiles = (folder: string, damagedFiles: string, logId: string, moved: bigint): void => {
  mkdirSync(damagedFiles, { mode: 0o700 });
  for (const name of [DATABASE_FILE, ...JOURNAL_FILES, MARK_FILE])
    if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(damagedFiles, name));
  renameSync(join(folder, SALVAGED_FILE), join(folder, DATABASE_FILE));
  for (const name of [`${SALVAGED_FILE}-lock`, `${DATABASE_FILE}-lock`, ...JOURNAL_FILES, MARK_FILE])
    rmSync(join(folder, name), { force: true });
  const mark = LogMark.open(folder);
  mark.writeSynced({ logId, isClosed: false, position: 0, moved, live: [] });
  mark.close();
};
