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

const writeApart = promisify(fs.write);
const syncApart = promisify(fs.fdatasync);

/**
 * A file in which everything that has been written is on disk.
 *
 * A disk that syncs in a tenth of a millisecond is waited for on the event loop; any other one on a thread of
 * libuv, so that meanwhile the next appends are taken in. Which one it is, is measured by every write.
 */
export class SyncedFile {
  readonly #descriptor: number;
  #usualMs = BRIEF_MS;

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
    const startedAt = performance.now();
    if (this.#usualMs < BRIEF_MS && bytes.length <= BRIEF_BYTES_MAX) this.#writeHere(bytes, at);
    else await this.#writeApart(bytes, at);
    this.#usualMs *= performance.now() - startedAt > this.#usualMs ? STEP : 1 / STEP;
  }

  close(): void {
    fs.closeSync(this.#descriptor);
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
