import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@app/kernel';

/** Returns the bundled program in the project's `dist/`, which is above this file as source, compiled and bundled. */
export const mainFile = (): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, 'dist/programs/event-store.js');
    if (existsSync(found)) return found;
    if (folder === dirname(folder))
      throw new AppError('internal', 'dist/programs/event-store.js is missing: run `npm run build` first');
  }
};
