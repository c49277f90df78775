import * as fs from 'node:fs';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';

/**
 * On Linux a write with O_DSYNC returns when it is on disk, as with `fdatasync`, in one call. Other systems promise
 * less or lack the flag.
 */
const WRITES_ARE_SYNCED = process.platform === 'linux';
const FLAGS = fs.constants.O_RDWR | fs.constants.O_CREAT | (WRITES_ARE_SYNCED ? fs.constants.O_DSYNC : 0);
const OWNER_ONLY = 0o600;

/** Below this usual duration a synced write is faster on the event loop than on another thread. Milliseconds. */
const BRIEF_MS = 0.2;
/** Larger writes always go to another thread. */
const BRIEF_BYTES_MAX = 64 * 1024;
/** The factor by which each write moves the usual duration, which approximates the median. */
const STEP = 1.1;
/**
 * The number of writes on the other thread before the event loop tries one again, initially; doubles after every slow
 * trial. The other thread's duration is no measure: its answer waits for the event loop.
 */
const APART_COUNT_MIN = 16;
const APART_COUNT_MAX = 1_024;

const writeOnThread = promisify(fs.write);
const syncOnThread = promisify(fs.fdatasync);

/**
 * A file whose completed writes are on disk.
 *
 * Writes to a disk that syncs in a tenth of a millisecond block the event loop; others run on a libuv thread, so that
 * the next appends arrive meanwhile. Periodic trials decide which.
 */
export class SyncedFile {
  readonly #descriptor: number;
  /** Usual duration of a write on the event loop. */
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

  /** Resolves when `bytes` are on disk at offset `at`. A failed write may be partial. */
  async write(bytes: Buffer, at: number): Promise<void> {
    if (this.#apartLeft === 0 && bytes.length <= BRIEF_BYTES_MAX) return this.#tryHere(bytes, at);
    this.#apartLeft = Math.max(0, this.#apartLeft - 1);
    await this.#writeOnThread(bytes, at);
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

  async #writeOnThread(bytes: Buffer, at: number): Promise<void> {
    for (let done = 0; done < bytes.length; )
      done += (await writeOnThread(this.#descriptor, bytes, done, bytes.length - done, at + done))
        .bytesWritten;
    if (!WRITES_ARE_SYNCED) await syncOnThread(this.#descriptor);
  }
}

/** Makes new directory entries of `folder` durable. */
export const syncFolder = (folder: string): void => {
  if (process.platform === 'win32') return; // Windows neither allows nor needs it.
  const descriptor = fs.openSync(folder, fs.constants.O_RDONLY);
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
};
