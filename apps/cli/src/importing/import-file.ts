import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ImportResult } from '@app/application';
import { AppError } from '@app/kernel';
import { SingleBar } from 'cli-progress';

/** Plays a transcript in; the bytes can be asked for again, from their beginning. */
export type PlayBytes = (bytes: () => AsyncIterable<Uint8Array>) => Promise<ImportResult>;

/**
 * Imports one file, with a progress bar where somebody watches.
 *
 * @throws {AppError} `unreadable-file`, and what `play` throws.
 */
export const importFile = async (file: string, play: PlayBytes): Promise<ImportResult> => {
  const size = await sizeOf(file);
  const progress = new Progress(file, size);
  try {
    return await play(() => progress.over(bytesOf(file)));
  } finally {
    progress.stop();
  }
};

const sizeOf = async (file: string): Promise<number> => {
  try {
    const found = await stat(file);
    if (!found.isFile())
      throw new AppError('unreadable-file', `${file} is not a file: give one transcript or several`);
    return found.size;
  } catch (error) {
    throw unreadable(error, file);
  }
};

async function* bytesOf(file: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of createReadStream(file)) yield chunk;
  } catch (error) {
    throw unreadable(error, file);
  }
}

const unreadable = (error: unknown, file: string): unknown => {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  return new AppError(
    'unreadable-file',
    `${file} cannot be read (${code}): is the name right, and may you read it?`,
    {
      cause: error,
    },
  );
};

/** A bar on stderr; nothing where stderr is no terminal. */
class Progress {
  private readonly bar: SingleBar | undefined;

  constructor(file: string, size: number) {
    if (!process.stderr.isTTY || size === 0) return;
    const format = `${file} [{bar}] {percentage} % | {eta} s left`;
    this.bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true });
    this.bar.start(size, 0);
  }

  async *over(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    this.bar?.update(0);
    for await (const chunk of bytes) {
      yield chunk;
      this.bar?.increment(chunk.length);
    }
  }

  stop(): void {
    this.bar?.stop();
  }
}
