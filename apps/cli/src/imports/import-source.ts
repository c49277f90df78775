import type { ImportResult } from '@app/application';
import { Progress } from '../output/progress.js';
import type { Source } from './source.js';

/** Plays a transcript in; the bytes can be asked for again, from their beginning. */
export type PlayBytes = (bytes: () => AsyncIterable<Uint8Array>) => Promise<ImportResult>;

/** `isWanted`: on stderr where it is no terminal as well, a line every two seconds. */
type ProgressOptions = { readonly isWanted?: boolean };

/**
 * Imports one transcript and shows its progress: bytes that were read.
 *
 * @throws {AppError} what the bytes and `play` throw.
 */
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

/** The bytes of a source; each chunk is reported once it was taken. */
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
