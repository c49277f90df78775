import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@app/kernel';

/** Beside the bundled programs, in the compiled tree of `npm run dev`, and in `dist/` of the source. */
const PLACES = ['worker.js', 'apps/worker/src/main.js', 'dist/programs/worker.js'];

/** Returns the program of the worker, from the folder of this file or one above it. */
export const workerFile = (): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = PLACES.map((place) => join(folder, place)).find((place) => existsSync(place));
    if (found !== undefined) return found;
    if (folder === dirname(folder))
      throw new AppError('internal', 'dist/programs/worker.js is missing: run `npm run build` first');
  }
};
