import type { ImportResult } from '@app/application';
import { Progress, type ProgressOptions } from './progress.js';
import type { Source } from './source.js';

/** Plays a transcript in; the bytes can be asked for again, from their beginning. */
export type PlayBytes = (bytes: () => AsyncIterable<Uint8Array>) => Promise<ImportResult>;

/**
 * Imports one transcript, with its progress where somebody watches.
 *
 * @throws {AppError} what the bytes and `play` throw.
 */
export const importSource = async (
  source: Source,
  play: PlayBytes,
  options: ProgressOptions = {},
): Promise<ImportResult> => {
  const progress = new Progress(source, options);
  try {
    return await play(() => progress.over(source.bytes()));
  } finally {
    progress.stop();
  }
};
