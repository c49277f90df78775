import { join } from 'node:path';
import { type Database, open } from 'lmdb';
import { diskFault } from './disk-faults.js';
import { type Engine, type Entry, type Put, type Scan, TABLES, type Table } from './engine.js';
import { verifiedValue, withChecksum } from './integrity/checksum.js';

/** Address space, not disk space: the limit of the log's size. The file grows with the data. */
const MAP_SIZE = 2 ** 40;
export const DATABASE_FILE = 'events.mdb';

/**
 * Opens the LMDB environment in `folder`, creating it if missing.
 *
 * Durability: `overlappingSync: false` makes lmdb begin its write transaction without MDB_NOSYNC, so that
 * `mdb_txn_commit` writes and syncs the pages, then writes the meta page synchronously; the promise of the
 * transaction resolves after that call has returned (`WriteWorker::Write` in the package's src/writer.cpp). A commit
 * runs on its own thread, so that reads continue during the sync. It is a child transaction, since only those roll
 * back completely when a change fails.
 *
 * Every value has a checksum, which each read verifies.
 * @throws {AppError} `disk-full` or `data-folder-unusable`.
 */
export const openLmdb = (folder: string, fileName = DATABASE_FILE): Engine => {
  const opening = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (fault) {
      throw diskFault(fault, folder, 'opening the event log');
    }
  };
  const root = opening(() =>
    open({
      path: join(folder, fileName),
      noSubdir: true,
      maxDbs: TABLES.length,
      mapSize: MAP_SIZE,
      overlappingSync: false,
      // If enabled, lmdb wraps each transaction in a batch of its own, whose rejection cannot be caught.
      eventTurnBatching: false,
      keyEncoding: 'binary',
      encoding: 'binary',
    }),
  );
  const openTable = (name: Table): Database<Buffer, Buffer> =>
    opening(() => root.openDB<Buffer, Buffer>({ name, keyEncoding: 'binary', encoding: 'binary' }));
  const tables = openTables(openTable, () => void root.close());

  return {
    get: (table, key) => {
      const sealed = tables[table].getBinary(key);
      return sealed && verifiedValue(table, key, sealed);
    },
    scan: (table, scan) => collect(table, tables[table], scan),
    commit: async (puts) => {
      try {
        await root.childTransaction(() => {
          for (const put of puts) apply(tables[put.table], put);
        });
      } catch (fault) {
        throw diskFault(await rootCause(fault), folder, 'writing events');
      }
      // A read in the same turn must see the commit, not an older snapshot.
      root.resetReadTxn();
    },
    close: () => root.close(),
  };
};

const openTables = (
  open: (name: Table) => Database<Buffer, Buffer>,
  giveUp: () => void,
): Record<Table, Database<Buffer, Buffer>> => {
  try {
    return {
      log: open('log'),
      revisions: open('revisions'),
      ids: open('ids'),
      heads: open('heads'),
      groups: open('groups'),
      projections: open('projections'),
      users: open('users'),
      about: open('about'),
    };
  } catch (fault) {
    giveUp();
    throw fault;
  }
};

const apply = (database: Database<Buffer, Buffer>, { table, key, value }: Put): void => {
  // Within a transaction a change applies at once, and throws on failure.
  void (value ? database.put(key, withChecksum(table, key, value)) : database.remove(key));
};

/** lmdb's encoding `binary` returns copies of keys and values. */
const collect = (table: Table, database: Database<Buffer, Buffer>, scan: Scan): Entry[] => {
  const { from, until, backwards, limit, bytesMax = Number.POSITIVE_INFINITY } = scan;
  const range = { start: from, reverse: backwards ?? false, limit, ...(until ? { end: until } : {}) };
  const entries: Entry[] = [];
  let bytes = 0;
  for (const { key, value: sealed } of database.getRange(range)) {
    const value = verifiedValue(table, key, sealed);
    entries.push({ key, value });
    bytes += value.length;
    if (bytes >= bytesMax) break;
  }
  return entries;
};

/** lmdb rejects with “commit failed”, and has the reason in a separate promise. */
const rootCause = async (fault: unknown): Promise<unknown> => {
  if (!(fault instanceof Error) || !('commitError' in fault)) return fault;
  try {
    return (await fault.commitError) ?? fault;
  } catch (reason) {
    return reason;
  }
};
