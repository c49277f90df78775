import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, type Gzip } from 'node:zlib';
import { AppError } from '@app/kernel';
import type { BackupFile } from './manifest.js';

/** Readable by the owner alone: the public parts of events are in clear. */
const MODE = 0o600;

/** Writes lines to a compressed file that appears under its name when it is complete. */
export class LineFile {
  private readonly gzip: Gzip = createGzip({ level: 1 });
  private readonly out: WriteStream;
  private readonly done: Promise<void>;
  private readonly draft: string;
  /** Characters written so far. */
  size = 0;
  lines = 0;

  private constructor(
    private readonly folder: string,
    private readonly name: string,
  ) {
    this.draft = join(folder, `${name}.draft`);
    this.out = createWriteStream(this.draft, { mode: MODE, flush: true });
    this.done = pipeline(this.gzip, this.out);
    this.done.catch(() => {}); // `write` and `close` report it.
  }

  static async create(folder: string, name: string): Promise<LineFile> {
    await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    return new LineFile(folder, name);
  }

  async write(line: string): Promise<void> {
    this.size += line.length + 1;
    this.lines += 1;
    if (!this.gzip.write(`${line}\n`)) await Promise.race([once(this.gzip, 'drain'), this.done]);
  }

  async close(): Promise<BackupFile> {
    this.gzip.end();
    await this.done;
    const path = join(this.folder, this.name);
    const { bytes, sha256 } = await fingerprint(this.draft);
    await rename(this.draft, path);
    await flushFolder(dirname(path));
    return { file: this.name, bytes, sha256 };
  }

  async discard(): Promise<void> {
    this.gzip.destroy();
    await this.done.catch(() => undefined);
    await rm(this.draft, { force: true });
  }
}

const flushFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Yields the lines of a compressed file. @throws {AppError} `backup-damaged`. */
export async function* linesOf(folder: string, name: string): AsyncGenerator<string, void, undefined> {
  const source = createReadStream(join(folder, name));
  const text = source.pipe(createGunzip());
  source.on('error', (error) => text.destroy(error));
  try {
    yield* createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (cause) {
    throw new AppError('backup-damaged', `${join(folder, name)} cannot be read to its end`, { cause });
  }
}

const fingerprint = async (path: string): Promise<{ readonly bytes: number; readonly sha256: string }> => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of createReadStream(path)) {
    const chunk: Buffer = piece;
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
};

/** @throws {AppError} `backup-damaged` if a file is missing, cut or changed. */
export const checkFile = async (folder: string, { file, bytes, sha256 }: BackupFile): Promise<void> => {
  const path = join(folder, file);
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new AppError('backup-damaged', `${path} is missing`);
  if (found.size < bytes)
    throw new AppError('backup-damaged', `${path} is cut: it has ${found.size} of ${bytes} bytes`);
  if (found.size > bytes || (await fingerprint(path)).sha256 !== sha256)
    throw new AppError('backup-damaged', `${path} is damaged: its checksum differs`);
};
