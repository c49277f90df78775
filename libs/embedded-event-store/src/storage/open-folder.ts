import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@app/kernel';
import { diskFault } from './disk-faults.js';
import type { Engine, Put } from './engine.js';
import { type FolderLock, lockFolder } from './folder-lock.js';
import { examineDatabase } from './integrity/examine-database.js';
import { sumsOf } from './integrity/file-sums.js';
import { folderDamaged } from './integrity/folder-damaged.js';
import { type LogEnd, LogMark, MARK_FILE } from './integrity/log-mark.js';
import { decodeLosses, encodeLosses, LOST_KEY } from './integrity/lost-ranges.js';
import { openJournaled } from './journal/journaled-engine.js';
import { syncFolder } from './journal/synced-file.js';
import { DATABASE_FILE, openLmdb } from './lmdb-engine.js';
import { runMaintenance } from './maintenance/run-maintenance.js';

/** The version of keys, records and files. Raise it if older programs can no longer read the folder. */
const FORMAT_VERSION = 3;
const FORMAT_KEY = Buffer.from('format');
/** Key in the table `about`: the log's id, as in the mark. */
export const LOG_ID_KEY = Buffer.from('log-id');

/** Larger databases are opened and closed without reading them completely, which takes about a second per GiB. */
const EXAMINED_BYTES_MAX = 2 * 2 ** 30;

export type DataFolder = { readonly engine: Engine; readonly lock: FolderLock };
type OpenOptions = {
  /** Opens a damaged folder without the lost data; keeps the damaged files. */
  readonly acceptLoss?: boolean;
};

/**
 * Opens a data folder, creating it if missing. A database that was closed gracefully must be identical byte for byte;
 * after a crash each entry is read (up to {@link EXAMINED_BYTES_MAX}).
 * @throws {AppError} `data-folder-in-use`, `data-folder-newer`, `data-folder-damaged`, `data-folder-unusable`,
 * `disk-full`.
 */
export const openFolder = async (
  folder: string,
  { acceptLoss = false }: OpenOptions = {},
): Promise<DataFolder> => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 }); // Contains users' data.
  } catch (fault) {
    throw diskFault(fault, folder, 'creating it');
  }
  const lock = lockFolder(folder);
  try {
    const engine = acceptLoss ? await openAcceptingLoss(folder, lock) : await openEngine(folder, lock);
    return { engine, lock };
  } catch (fault) {
    lock.release();
    throw fault;
  }
};

const openAcceptingLoss = async (folder: string, lock: FolderLock): Promise<Engine> => {
  try {
    return await openEngine(folder, lock);
  } catch (fault) {
    if (!(fault instanceof AppError) || fault.code !== 'data-folder-damaged') throw fault;
    const isSalvaged = (await runMaintenance('salvage', folder)) !== undefined;
    if (!isSalvaged) throw beyondSalvage(folder);
    const engine = await openEngine(folder, lock);
    await addReason(engine, fault.message);
    return engine;
  }
};

const beyondSalvage = (folder: string): AppError =>
  new AppError(
    'data-folder-damaged',
    `the database in ${folder} is damaged, and reading it crashes the process: restore the data folder from a backup`,
  );

const addReason = async (engine: Engine, reason: string): Promise<void> => {
  const losses = decodeLosses(engine.get('about', LOST_KEY));
  const updated = losses.map((loss) =>
    loss.isRecorded ? loss : { ...loss, reasons: [...loss.reasons, reason] },
  );
  await engine.commit([{ table: 'about', key: LOST_KEY, value: encodeLosses(updated) }]);
};

/** Opens database and journal of a folder that this process has locked. */
export const openEngine = async (folder: string, lock: FolderLock): Promise<Engine> => {
  const mark = openMark(folder);
  try {
    const end = endOfMark(folder, mark);
    if (existsSync(join(folder, DATABASE_FILE))) await examineDatabase(folder, mark, EXAMINED_BYTES_MAX);
    else await createDatabase(folder, end.logId);
    const lmdb = fenced(openLmdb(folder), lock);
    try {
      checkFormat(lmdb, folder, end.logId);
      return closingWithSums(folder, fenced(openJournaled(folder, lmdb, mark), lock), mark);
    } catch (fault) {
      await lmdb.close();
      throw fault;
    }
  } catch (fault) {
    mark.close();
    throw fault;
  }
};

/** Creates the database under another name first: of a creation that a full disk or a crash ended, nothing is opened. */
const createDatabase = async (folder: string, logId: string): Promise<void> => {
  const unfinished = `${DATABASE_FILE}.new`;
  const path = join(folder, unfinished);
  const lockPath = `${path}-lock`;
  try {
    for (const file of [path, lockPath]) rmSync(file, { force: true });
    const lmdb = openLmdb(folder, unfinished);
    try {
      await lmdb.commit(formatEntries(logId));
    } finally {
      await lmdb.close();
    }
    renameSync(path, join(folder, DATABASE_FILE));
    syncFolder(folder);
    rmSync(lockPath, { force: true });
  } catch (fault) {
    throw diskFault(fault, folder, 'creating the event log');
  }
};

/** Returns an engine that writes only while this process holds the lock. */
const fenced = (engine: Engine, lock: FolderLock): Engine => ({
  get: (table, key) => engine.get(table, key),
  scan: (table, scan) => engine.scan(table, scan),
  commit: async (puts) => {
    lock.assertHeld();
    await engine.commit(puts);
  },
  close: () => engine.close(),
});

const openMark = (folder: string): LogMark => {
  try {
    return LogMark.open(folder);
  } catch (fault) {
    throw diskFault(fault, folder, 'opening it');
  }
};

/** Returns the end in the mark; a new folder gets a mark first. @throws {AppError} `data-folder-damaged`. */
const endOfMark = (folder: string, mark: LogMark): LogEnd => {
  const hasDatabase = existsSync(join(folder, DATABASE_FILE));
  if (!mark.end) {
    if (hasDatabase) throw folderDamaged(`${folder}/${MARK_FILE} is missing or damaged`);
    const logId = randomBytes(16).toString('hex');
    const first: LogEnd = { logId, isClosed: false, position: 0, moved: 0n, live: [] };
    mark.writeSynced(first);
    return first;
  }
  const { moved, position, isClosed } = mark.end;
  if (!hasDatabase && (moved > 0n || position > 0 || isClosed))
    throw folderDamaged(
      `${folder}/${DATABASE_FILE} is missing; events up to the position ${position} were acknowledged`,
    );
  return mark.end;
};

/** Returns an engine whose graceful close writes the database's checksums to the mark. */
const closingWithSums = (folder: string, engine: Engine, mark: LogMark): Engine => ({
  get: (table, key) => engine.get(table, key),
  scan: (table, scan) => engine.scan(table, scan),
  commit: (puts) => engine.commit(puts),
  close: async () => {
    try {
      await engine.close();
      if (!mark.end || mark.end.live.length > 0) return;
      const sums = await sumsOf(join(folder, DATABASE_FILE));
      if (sums.bytes > EXAMINED_BYTES_MAX) return;
      mark.writeSums(sums);
      mark.writeSynced({ ...mark.end, isClosed: true });
    } finally {
      mark.close();
    }
  },
});

/** @throws {AppError} `data-folder-newer`, `data-folder-damaged`. */
const checkFormat = (engine: Engine, folder: string, logId: string): void => {
  const stored = engine.get('about', FORMAT_KEY);
  const version = stored ? Number(stored.toString('utf8')) : 0;
  if (version > FORMAT_VERSION)
    throw new AppError(
      'data-folder-newer',
      `the data folder ${folder} has format ${version}; this version reads up to ${FORMAT_VERSION}: upgrade it`,
    );
  if (engine.get('about', LOG_ID_KEY)?.toString('utf8') !== logId)
    throw folderDamaged(`${folder}/${DATABASE_FILE} belongs to another log than ${folder}/${MARK_FILE}`);
};

/** Returns the entries that every database has from its creation on. */
export const formatEntries = (logId: string): readonly Put[] => [
  { table: 'about', key: FORMAT_KEY, value: Buffer.from(String(FORMAT_VERSION)) },
  { table: 'about', key: LOG_ID_KEY, value: Buffer.from(logId) },
];
