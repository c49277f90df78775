import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError } from '@app/kernel';

/**
 * Loads a package of a vendor that is installed only where its key store is used: beside Palimpsest, or in the current folder.
 *
 * @throws {AppError} `invalid-configuration` with the command that installs it.
 */
export const vendorModule = async (name: string, forWhat: string): Promise<unknown> => {
  for (const place of [import.meta.url, pathToFileURL(join(process.cwd(), 'package.json')).href]) {
    const path = resolved(name, place);
    if (path !== undefined) return import(pathToFileURL(path).href);
  }
  throw new AppError(
    'invalid-configuration',
    `the configuration is wrong: a key is encrypted by ${forWhat}, and its package is missing: npm install ${name}`,
  );
};

const resolved = (name: string, place: string): string | undefined => {
  try {
    return createRequire(place).resolve(name);
  } catch {
    return undefined;
  }
};
