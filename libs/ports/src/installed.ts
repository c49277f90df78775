import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { invariant } from '@app/kernel';

/**
 * Returns the path of a file or folder of this installation: the first of the places in the nearest folder above this module that
 * has one, for sources as for compiled and bundled code; `undefined` without any.
 */
export const findInstalled = (...places: readonly string[]): string | undefined => {
  const { url } = import.meta;
  for (let folder = url.startsWith('file:') ? dirname(fileURLToPath(url)) : '/'; ; folder = dirname(folder)) {
    const found = places.map((place) => join(folder, place)).find((path) => existsSync(path));
    if (found !== undefined || folder === dirname(folder)) return found;
  }
};

/** Returns the path of a file or folder that every installation has. */
export const installed = (place: string): string => {
  const found = findInstalled(place);
  invariant(found !== undefined, `${place} is missing from this installation`);
  return found;
};
