import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open } from 'lmdb';
import { TABLES, type Table } from '../storage/engine.js';
import { intactValue } from '../storage/integrity/checksum.js';
import type { LogEnd } from '../storage/integrity/log-mark.js';
import { decodeLosses, LOST_KEY, type Loss } from '../storage/integrity/lost-ranges.js';
import { frameAt, GENERATION_NONE, generationAt, placesIn, putAt } from '../storage/journal/frame.js';
import { JOURNAL_FILES, MOVED_KEY } from '../storage/journal/journaled-engine.js';
import { DATABASE_FILE } from '../storage/lmdb-engine.js';
import { LOG_ID_KEY } from '../storage/open-folder.js';
import type { Sink } from './sink.js';

/** Tables that cannot be rebuilt from others. */
const KEPT: readonly Table[] = ['log', 'groups', 'projections', 'users'];

export type DatabaseSource = {
  readonly logId: string | undefined;
  readonly moved: bigint;
  readonly losses: readonly Loss[];
  /** Number of damaged entries other than events. */
  readonly otherEntries: number;
};
type LmdbTable = Database<Buffer, Buffer>;

/** Copies every readable database entry with a valid checksum. */
export const readDatabase = async (folder: string, sink: Sink): Promise<DatabaseSource> => {
  const nothing: DatabaseSource = { logId: undefined, moved: 0n, losses: [], otherEntries: 0 };
  if (!existsSync(join(folder, DATABASE_FILE))) return nothing;
  const root = tried(() =>
    open({
      path: join(folder, DATABASE_FILE),
      noSubdir: true,
      readOnly: true,
      maxDbs: TABLES.length,
      keyEncoding: 'binary',
      encoding: 'binary',
    }),
  );
  if (!root) return nothing;
  try {
    const tableOf = (name: Table): LmdbTable | undefined =>
      tried(() => root.openDB<Buffer, Buffer>({ name, keyEncoding: 'binary', encoding: 'binary' }));
    let otherEntries = 0;
    for (const name of KEPT) {
      const table = tableOf(name);
      const damaged = table ? await copyTable(name, table, sink) : 1;
      if (name !== 'log') otherEntries += damaged;
    }
    const about = tableOf('about');
    const get = (key: Buffer): Buffer | undefined => {
      const sealed = about && tried(() => about.getBinary(key));
      return sealed && intactValue('about', key, sealed);
    };
    return {
      logId: get(LOG_ID_KEY)?.toString('utf8'),
      moved: get(MOVED_KEY)?.readBigUInt64BE() ?? 0n,
      losses: decodeLosses(get(LOST_KEY)),
      otherEntries,
    };
  } finally {
    await root.close();
  }
};

/** Scans from both ends, since a damaged page stops a scan. Returns the number of damaged entries. */
const copyTable = async (name: Table, table: LmdbTable, sink: Sink): Promise<number> => {
  let damaged = 0;
  let last: Buffer | undefined;
  const copy = async (reverse: boolean): Promise<boolean> => {
    try {
      for (const { key, value: sealed } of table.getRange({ reverse })) {
        if (reverse && last && key.compare(last) <= 0) return true;
        if (!reverse) last = key;
        const value = intactValue(name, key, sealed);
        if (value) await sink.put({ table: name, key, value });
        else damaged += 1;
      }
      return true;
    } catch {
      return false;
    }
  };
  if (!(await copy(false))) {
    damaged += 1;
    await copy(true);
  }
  return damaged;
};

/**
 * Copies the journal's commits that the database lacks, in order; skips damaged frames. Returns the highest known
 * generation.
 */
export const readJournals = async (
  folder: string,
  expected: LogEnd | undefined,
  moved: bigint,
  sink: Sink,
): Promise<bigint> => {
  const files = JOURNAL_FILES.map((name) => join(folder, name))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path));
  const known = expected?.live.map(({ generation }) => generation);
  const found = files.map((file) => generationAt(file, 0) ?? GENERATION_NONE);
  const generations = [...new Set(known ?? found)]
    .filter((generation) => generation > moved && generation !== GENERATION_NONE)
    .sort((a, b) => (a < b ? -1 : 1));
  for (const generation of generations)
    for (const file of files)
      for (const frame of framesIn(file, generation))
        for (const place of placesIn(frame)) {
          const put = putAt(frame, place);
          if (KEPT.includes(put.table)) await sink.put(put);
        }
  return [moved, ...(known ?? []), ...found].reduce((a, b) => (a > b ? a : b));
};

/** Yields every intact frame of a generation, at any offset. */
function* framesIn(file: Buffer, generation: bigint): Generator<Buffer> {
  const mark = Buffer.alloc(8);
  mark.writeBigUInt64BE(generation);
  for (let at = file.indexOf(mark); at >= 0; ) {
    const frame = frameAt(file, at, generation);
    if (frame) yield frame;
    at = file.indexOf(mark, frame ? at + frame.length : at + 1);
  }
}

const tried = <Result>(work: () => Result): Result | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};
