import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { inSlices } from '../../steps.js';
import { diskFault } from '../disk-faults.js';
import type { Engine, Entry, Put, Scan, Table } from '../engine.js';
import { folderDamaged } from '../integrity/folder-damaged.js';
import type { LogEnd, LogMark } from '../integrity/log-mark.js';
import { JournalFile } from './journal-file.js';
import { mergeScan, putsOf } from './merge-scan.js';
import { Recent } from './recent.js';
import { syncFolder } from './synced-file.js';

export const JOURNAL_FILES = ['journal-0', 'journal-1'] as const;
type JournalSizes = {
  /** The size in bytes at which the journal switches files and moves the content of the full one to the store. */
  readonly fileBytes: number;
  /** The maximum file size in bytes while the store does not keep up; then commits wait. */
  readonly fileBytesMax: number;
};
const USUAL: JournalSizes = { fileBytes: 8 * 2 ** 20, fileBytesMax: 32 * 2 ** 20 };

/** Size of one move, for which the event loop is blocked a few milliseconds. */
const MOVE_COUNT = 1_024;
const MOVE_BYTES = 2 ** 20;
/** The delay before a failed move is retried. Milliseconds. */
const MOVE_AGAIN_MS = 1_000;
/** Key in the table `about`: the highest generation whose content is in the store. */
export const MOVED_KEY = Buffer.from('journal');
/** Key in the table `about`: the sequence of a mark that was on disk before the last move. */
const MARKED_KEY = Buffer.from('log-end');
/** The largest key of the table `log`. */
const LAST_KEY = Buffer.alloc(8, 0xff);

/** Commits in memory and journal: active commits, and commits on their way to the store. */
type Active = { readonly recent: Recent; readonly file: JournalFile };
type Leaving = {
  readonly recent: Recent;
  readonly files: readonly JournalFile[];
  readonly generation: bigint;
};

/**
 * Puts a journal before `behind`: a commit is one synced write to the end of a file. Changes stay in memory for
 * reads, and move to the store in the background, many commits at once in key order; after that their file is reused.
 * After a crash the files are replayed.
 *
 * Each commit updates `mark`, which the next start verifies the folder by. The engine closes it.
 * @throws {AppError} `data-folder-damaged` if the folder contains less than the mark says, or files of another log;
 * `disk-full`, `data-folder-unusable`.
 */
export const openJournaled = (folder: string, behind: Engine, mark: LogMark, sizes = USUAL): Engine => {
  try {
    const files = JOURNAL_FILES.map((name) => new JournalFile(join(folder, name)));
    syncFolder(folder);
    return new JournaledEngine(folder, behind, files, mark, sizes);
  } catch (fault) {
    throw diskFault(fault, folder, 'opening the journal');
  }
};

class JournaledEngine implements Engine {
  readonly #free: JournalFile[] = [];
  /** Accepts commits. */
  #active: Active | undefined;
  /** Moves to the store. */
  #leaving: Leaving | undefined;
  #moving: Promise<void> | undefined;
  #moveAgainAt = 0;
  #generation: bigint;
  #moved: bigint;
  #position: number;
  readonly #logId: string;

  constructor(
    private readonly folder: string,
    private readonly behind: Engine,
    private readonly files: readonly JournalFile[],
    private readonly mark: LogMark,
    private readonly sizes: JournalSizes,
  ) {
    const expected = mark.end;
    const moved = behind.get('about', MOVED_KEY)?.readBigUInt64BE() ?? 0n;
    const live = expected?.live.filter(({ generation }) => generation > moved) ?? [];
    const recovered = files
      .map((file) => ({ file, frames: file.recover(live) }))
      .sort((a, b) => (a.file.generation < b.file.generation ? -1 : 1))
      .filter(({ file, frames }) => frames.length > 0 && file.generation > moved);
    const recent = new Recent();
    for (const frame of recovered.flatMap(({ frames }) => frames)) for (const _ of recent.add(frame));
    this.#generation = [moved, ...files.map(({ generation }) => generation)].reduce(larger);
    if (recovered.length > 0)
      this.#leaving = { recent, files: recovered.map(({ file }) => file), generation: this.#generation };
    this.#free = files.filter((file) => !this.#leaving?.files.includes(file));
    this.#moved = moved;
    this.#position = endOf(this.scan('log', { from: LAST_KEY, backwards: true, limit: 1 }));
    this.#logId = expected?.logId ?? randomBytes(16).toString('hex');
    const marked = behind.get('about', MARKED_KEY)?.readBigUInt64BE() ?? 0n;
    if (expected && mark.sequence < marked)
      throw folderDamaged(
        `${folder}/log-end is older than ${folder}/events.mdb; events behind the position ${this.#position} may be missing`,
      );
    if (expected) rejectMissing(folder, expected, { moved, position: this.#position, files });
    mark.writeSynced(this.#logEnd());
    this.#move();
  }

  get(table: Table, key: Buffer): Buffer | undefined {
    if (!this.#active && !this.#leaving) return this.behind.get(table, key);
    const text = key.toString('latin1');
    const put = this.#active?.recent.get(table, text) ?? this.#leaving?.recent.get(table, text);
    return put ? put.value : this.behind.get(table, key);
  }

  scan(table: Table, scan: Scan): Entry[] {
    const recent = [this.#active, this.#leaving].flatMap((stretch) => (stretch ? [stretch.recent] : []));
    if (recent.every((one) => !one.has(table))) return this.behind.scan(table, scan);
    return mergeScan(scan, [
      ...recent.map((one) => one.range(table, scan)),
      putsOf(this.behind, table, scan),
    ]);
  }

  async commit(puts: readonly Put[]): Promise<void> {
    const { recent, file } = await this.#stretch();
    try {
      const frame = await file.append(puts);
      await inSlices(recent.add(frame));
      const last = puts.findLast(({ table }) => table === 'log');
      if (last?.value) this.#position = endOf([{ key: last.key, value: last.value }]);
      this.mark.write(this.#logEnd());
    } catch (fault) {
      throw diskFault(fault, this.folder, 'writing events');
    }
  }

  #logEnd(): LogEnd {
    const files = [...(this.#leaving?.files ?? []), ...(this.#active ? [this.#active.file] : [])];
    return {
      logId: this.#logId,
      isClosed: false,
      position: this.#position,
      moved: this.#moved,
      live: files.map(({ generation, bytes }) => ({ generation, end: bytes })),
    };
  }

  /** Empties the journal if possible. */
  async close(): Promise<void> {
    try {
      await this.#moveRest();
      this.#leave();
      await this.#moveRest();
    } catch {
      // The disk is too full to move it. The journal still contains it.
    }
    for (const file of this.files) file.close();
    await this.behind.close();
  }

  /** Returns the destination of the next commit. */
  async #stretch(): Promise<Active> {
    const bytes = this.#active?.file.bytes ?? 0;
    if (bytes >= this.sizes.fileBytes) {
      if (this.#leaving && bytes >= this.sizes.fileBytesMax) await this.#moveRest();
      else if (this.#leaving && performance.now() >= this.#moveAgainAt) this.#move();
      if (!this.#leaving) this.#leave();
    }
    if (this.#active) return this.#active;
    if (this.#free.length === 0) await this.#moveRest();
    return this.#begin();
  }

  #begin(): Active {
    const file = this.#free.shift();
    if (!file) throw new RangeError('no journal file is free although none is being moved');
    this.#generation = generationAfter(this.#generation);
    file.begin(this.#generation);
    this.#active = { recent: new Recent(), file };
    // Before the first frame: a generation that the mark does not know counts as another log's.
    this.mark.writeSynced(this.#logEnd());
    return this.#active;
  }

  #leave(): void {
    if (!this.#active) return;
    const { recent, file } = this.#active;
    this.#leaving = { recent, files: [file], generation: file.generation };
    this.#active = undefined;
    this.#move();
  }

  /** Resolves when no move is pending. @throws {AppError} `disk-full`, `internal`. */
  async #moveRest(): Promise<void> {
    while (this.#leaving) {
      this.#move();
      await this.#moving;
    }
  }

  /** Starts the pending move unless it is running. */
  #move(): void {
    const leaving = this.#leaving;
    if (!leaving || this.#moving) return;
    this.#moving = this.#moveAll(leaving).finally(() => {
      this.#moving = undefined;
    });
    // Waiting callers get the error; otherwise the next attempt reports it.
    this.#moving.catch(() => {
      this.#moveAgainAt = performance.now() + MOVE_AGAIN_MS;
    });
  }

  /** Idempotent, so it need not be atomic. */
  async #moveAll({ recent, files, generation }: Leaving): Promise<void> {
    let puts: Put[] = [];
    let bytes = 0;
    for (const put of recent.puts()) {
      puts.push(put);
      bytes += put.value?.length ?? 0;
      if (puts.length < MOVE_COUNT && bytes < MOVE_BYTES) continue;
      await this.behind.commit(puts);
      puts = [];
      bytes = 0;
    }
    // From here on an older mark, such as one of a backup, is detected by its sequence.
    this.mark.writeSynced(this.#logEnd());
    await this.behind.commit([
      ...puts,
      { table: 'about', key: MOVED_KEY, value: eightBytes(generation) },
      { table: 'about', key: MARKED_KEY, value: eightBytes(this.mark.sequence) },
    ]);
    this.#leaving = undefined;
    this.#free.push(...files);
    this.#moved = generation;
    this.mark.write(this.#logEnd());
  }
}

type Found = {
  readonly moved: bigint;
  readonly position: number;
  readonly files: readonly JournalFile[];
};

/** @throws {AppError} `data-folder-damaged` if a file is missing, older than the mark, or of another log. */
const rejectMissing = (folder: string, expected: LogEnd, { moved, position, files }: Found): void => {
  const places = `events between the positions ${position} and ${expected.position} are missing`;
  if (moved < expected.moved) throw folderDamaged(`${folder}/events.mdb is older than ${folder}/log-end`);
  const live = expected.live.filter(({ generation }) => generation > moved);
  for (const { generation, end } of live)
    if (end > 0 && !files.some((file) => file.generation === generation))
      throw folderDamaged(`a journal file in ${folder} is missing, emptied or replaced; ${places}`);
  const foreign = files.findIndex(
    (file) =>
      file.bytes > 0 &&
      file.generation > moved &&
      !expected.live.some(({ generation }) => generation === file.generation),
  );
  if (foreign >= 0)
    throw folderDamaged(
      `${folder}/${JOURNAL_FILES[foreign]} belongs to another log, or does not match log-end`,
    );
  if (position < expected.position) throw folderDamaged(`the event log in ${folder} is truncated; ${places}`);
};

/** Returns the first position after these events; 0 without events. */
const endOf = (entries: readonly Entry[]): number => {
  const last = entries.at(-1);
  return last?.key.length === LAST_KEY.length ? Number(last.key.readBigUInt64BE()) + last.value.length : 0;
};

const eightBytes = (number: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(number);
  return bytes;
};

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/**
 * Returns a counter with 32 random bits below it, so that client data in an old frame cannot pass for a new frame.
 */
const generationAfter = (generation: bigint): bigint =>
  (((generation >> 32n) + 1n) << 32n) | BigInt(randomBytes(4).readUInt32BE());
