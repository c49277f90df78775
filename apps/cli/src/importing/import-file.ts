import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ImportResult, TranscriptImporter } from '@app/application';
import type { ProfileSource } from '@app/domain';
import { openTranscript } from '@app/formats';
import { Actor, AppError, type TenantId } from '@app/kernel';
import { SingleBar } from 'cli-progress';

export type ImportFileOptions = {
  readonly tenant: TenantId;
  readonly profile: ProfileSource;
  readonly window?: number;
  readonly model?: string;
};

const CLI = Actor('cli');

/**
 * Imports one file, with a progress bar where somebody watches.
 *
 * @throws {AppError} `unreadable-file`, `unknown-format`, `nothing-to-import`, and what the commands refuse.
 */
export const importFile = async (
  importer: TranscriptImporter,
  file: string,
  { tenant, profile, window, model }: ImportFileOptions,
): Promise<ImportResult> => {
  const size = await sizeOf(file);
  const progress = new Progress(file, size);
  try {
    const { format, items } = await openTranscript(progress.over(bytesOf(file)), { name: file });
    const options = {
      tenant,
      profile,
      ...(window !== undefined && { window }),
      ...(model !== undefined && { model }),
    };
    return await importer.import(format, items, options, { actor: CLI });
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
    for await (const chunk of bytes) {
      yield chunk;
      this.bar?.increment(chunk.length);
    }
  }

  stop(): void {
    this.bar?.stop();
  }
}
