import { join } from 'node:path';
import { isJsonObject } from '@app/kernel';
import { type Database, open } from 'lmdb';
import { TABLES, type Table } from '../engine.js';
import { DATABASE_FILE } from '../lmdb-engine.js';
import { entryName, intactValue } from './checksum.js';
import { covers, decodeLosses, LOST_KEY } from './lost-ranges.js';

export type DatabaseCheck = {
  readonly entries: number;
  readonly events: number;
  /** The first position after the last event. */
  readonly position: number;
  /** Descriptions of the problems; at most {@link PROBLEMS_MAX}. */
  readonly problems: readonly string[];
};

/** The number of verified entries, and the finished share of the work from 0 to 1. */
export type CheckProgress = { readonly entries: number; readonly fraction: number };

const PROBLEMS_MAX = 20;
/** Entries between two progress reports. */
const REPORT_ENTRIES = 10_000;

/**
 * Reads every entry of the database and verifies that checksums match, keys ascend, each table has as many entries as
 * its count, and each event begins where the previous one ends.
 *
 * A damaged page may crash the process: run it in a child process.
 */
export const checkDatabase = async (
  folder: string,
  onProgress: (progress: CheckProgress) => void = () => {},
): Promise<DatabaseCheck> => {
  const problems: string[] = [];
  const root = open({
    path: join(folder, DATABASE_FILE),
    noSubdir: true,
    readOnly: true,
    maxDbs: TABLES.length,
    keyEncoding: 'binary',
    encoding: 'binary',
  });
  const tables = TABLES.map((name) => ({
    name,
    table: root.openDB<Buffer, Buffer>({ name, keyEncoding: 'binary', encoding: 'binary' }),
  }));
  try {
    let entries = 0;
    let log = { events: 0, position: 0 };
    const about = tables.find(({ name }) => name === 'about')?.table;
    const logTable = tables.find(({ name }) => name === 'log')?.table;
    // The log is read twice: its entries, and the positions of its events.
    const stored = [...tables.map(({ table }) => table), ...(logTable ? [logTable] : [])].map(entryCountOf);
    const onEntry = reporter(
      stored.reduce((sum, count) => sum + count, 0),
      onProgress,
    );
    for (const { name, table } of tables) entries += checkTable(name, table, problems, onEntry);
    if (about && logTable) log = checkLog(logTable, about, problems, onEntry);
    return { entries, ...log, problems: problems.slice(0, PROBLEMS_MAX) };
  } finally {
    await root.close();
  }
};

/** Returns a function to call for each entry; it reports the first entry, and then every {@link REPORT_ENTRIES}. */
const reporter = (total: number, onProgress: (progress: CheckProgress) => void): (() => void) => {
  let entries = 0;
  return () => {
    entries += 1;
    if (entries % REPORT_ENTRIES === 1) onProgress({ entries, fraction: Math.min(1, entries / total) });
  };
};

const checkTable = (
  name: Table,
  table: Database<Buffer, Buffer>,
  problems: string[],
  onEntry: () => void,
): number => {
  let count = 0;
  let before: Buffer | undefined;
  try {
    for (const { key, value } of table.getRange({})) {
      count += 1;
      onEntry();
      if (before && before.compare(key) >= 0) problems.push(`keys of the table ${name} are out of order`);
      if (!intactValue(name, key, value)) problems.push(`the entry ${entryName(name, key)} is damaged`);
      before = key;
      if (problems.length > PROBLEMS_MAX) return count;
    }
  } catch (fault) {
    problems.push(`the table ${name} is not readable beyond ${count} entries: ${messageOf(fault)}`);
    return count;
  }
  const stored = entryCountOf(table);
  if (stored !== count) problems.push(`the table ${name} has ${count} readable entries of ${stored}`);
  return count;
};

const checkLog = (
  log: Database<Buffer, Buffer>,
  about: Database<Buffer, Buffer>,
  problems: string[],
  onEntry: () => void,
): { events: number; position: number } => {
  const sealed = about.getBinary(LOST_KEY);
  const lost = decodeLosses(sealed && intactValue('about', LOST_KEY, sealed));
  let events = 0;
  let position = 0;
  try {
    for (const { key, value } of log.getRange({})) {
      const at = Number(key.readBigUInt64BE());
      if (at !== position && !covers(lost, position, at))
        problems.push(`events between the positions ${position} and ${at} are missing`);
      position = at + (intactValue('log', key, value)?.length ?? 0);
      events += 1;
      onEntry();
      if (problems.length > PROBLEMS_MAX) break;
    }
  } catch (fault) {
    problems.push(`the log is not readable beyond the position ${position}: ${messageOf(fault)}`);
  }
  return { events, position };
};

const entryCountOf = (table: Database<Buffer, Buffer>): number => {
  const stats: unknown = table.getStats();
  return isJsonObject(stats) && typeof stats.entryCount === 'number' ? stats.entryCount : Number.NaN;
};

const messageOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));
