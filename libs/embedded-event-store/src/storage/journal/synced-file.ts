import * as fs from 'node:fs';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';

/**
 * On Linux a write to a file that is open for synchronised writes returns when it is on disk, as if `fdatasync`
 * followed, in one call. Elsewhere that flag promises less, or there is none.
 */
const WRITES_ARE_SYNCED = process.platform === 'linux';
const FLAGS = fs.constants.O_RDWR | fs.constants.O_CREAT | (WRITES_ARE_SYNCED ? fs.constants.O_DSYNC : 0);
const OWNER_ONLY = 0o600;

/** Where a synced write usually takes less, handing it to another thread and back would cost more. Milliseconds. */
const BRIEF_MS = 0.2;
/** More is always left to another thread. */
const BRIEF_BYTES_MAX = 64 * 1024;
/** What is usual follows the median: each write moves it by this factor, however long it took. */
const STEP = 1.1;
/**
 * So many writes are left to the other thread before the event loop tries one again, at first; twice as many after
 * every trial that was not brief. How long the other thread took says little: its answer waits for the event loop.
 */
const APART_COUNT_MIN = 16;
const APART_COUNT_MAX = 1_024;

const writeApart = promisify(fs.write);
const syncApart = promisify(fs.fdatasync);

/**
 * A file in which everything that has been written is on disk.
 *
 * A disk that syncs in a tenth of a millisecond is waited for on the event loop; any other one on a thread of
 * libuv, so that meanwhile the next appends are taken in. Which one it is, is tried out again and again.
 */
export class SyncedFile {
  readonly #descriptor: number;
  /** Of writes on the event loop. */
  #usualMs = BRIEF_MS;
  #apartCount = APART_COUNT_MIN;
  #apartLeft = 0;

  constructor(path: string) {
    this.#descriptor = fs.openSync(path, FLAGS, OWNER_ONLY);
  }

  readAll(): Buffer {
    const bytes = Buffer.alloc(fs.fstatSync(this.#descriptor).size);
    for (let at = 0; at < bytes.length; ) {
      const count = fs.readSync(this.#descriptor, bytes, at, bytes.length - at, at);
      if (count === 0) return bytes.subarray(0, at);
      at += count;
    }
    return bytes;
  }

  /** Resolves when `bytes` are on disk, from offset `at` on. Where it fails, some of them may be. */
  async write(bytes: Buffer, at: number): Promise<void> {
    if (this.#apartLeft === 0 && bytes.length <= BRIEF_BYTES_MAX) return this.#tryHere(bytes, at);
    this.#apartLeft = Math.max(0, this.#apartLeft - 1);
    await this.#writeApart(bytes, at);
  }

  close(): void {
    fs.closeSync(this.#descriptor);
  }

  #tryHere(bytes: Buffer, at: number): void {
    const startedAt = performance.now();
    this.#writeHere(bytes, at);
    const took = performance.now() - startedAt;
    this.#usualMs *= took > this.#usualMs ? STEP : 1 / STEP;
    if (took < BRIEF_MS) this.#apartCount = APART_COUNT_MIN;
    if (this.#usualMs <= BRIEF_MS) return;
    this.#usualMs = BRIEF_MS;
    this.#apartLeft = this.#apartCount;
    this.#apartCount = Math.min(APART_COUNT_MAX, this.#apartCount * 2);
  }

  #writeHere(bytes: Buffer, at: number): void {
    for (let done = 0; done < bytes.length; )
      done += fs.writeSync(this.#descriptor, bytes, done, bytes.length - done, at + done);
    if (!WRITES_ARE_SYNCED) fs.fdatasyncSync(this.#descriptor);
  }

  async #writeApart(bytes: Buffer, at: number): Promise<void> {
    for (let done = 0; done < bytes.length; )
      done += (await writeApart(this.#descriptor, bytes, done, bytes.length - done, at + done)).bytesWritten;
    if (!WRITES_ARE_SYNCED) await syncApart(this.#descriptor);
  }
}

/** Makes the names of new files in `folder` durable. */
export const syncFolder = (folder: string): void => {
  if (process.platform === 'win32') return; // It can neither be opened nor need it.
  const descriptor = fs.openSync(folder, fs.constants.O_RDONLY);
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
};
