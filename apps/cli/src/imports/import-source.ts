import type { ImportResult } from '@app/contract';
import { Progress } from '../output/progress.js';
import type { Source } from './source.js';

/** Imports a transcript; `bytes` can be called again to read from the start. */
export type PlayBytes = (bytes: () => AsyncIterable<Uint8Array>) => Promise<ImportResult>;

/** `isWanted` writes progress to stderr every two seconds even without a terminal. */
type ProgressOptions = { readonly isWanted?: boolean };

/** Imports one transcript and shows progress in bytes read. @throws {AppError} the errors of `bytes` and `play`. */
export const importSource = async (
  source: Source,
  play: PlayBytes,
  { isWanted = false }: ProgressOptions = {},
): Promise<ImportResult> => {
  const progress = new Progress(source.name, isWanted);
  try {
    return await play(() => measured(source, progress));
  } finally {
    progress.stop();
  }
};

/** Yields the bytes of a source and reports each chunk after its consumer took it. */
async function* measured(
  { bytes, size }: Source,
  progress: Progress,
): AsyncGenerator<Uint8Array, void, undefined> {
  let taken = 0;
  for await (const chunk of bytes()) {
    yield chunk;
    taken += chunk.length;
    const rate = taken / 1_000 / Math.max(1, progress.elapsedMs);
    progress.update({ fraction: taken / Math.max(size, taken), detail: `${rate.toFixed(1)} MB/s` });
  }
}
