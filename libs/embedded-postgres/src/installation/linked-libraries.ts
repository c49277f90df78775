import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LIBRARIES } from '../layout.js';

type Link = { readonly source: string; readonly target: string };

/**
 * npm packages cannot hold symbolic links, so these packages make theirs in an install script, and npm may be
 * told not to run any. Where a link is missing, a folder of links within the data folder takes its place: the
 * installation may be read-only, or shared with others who install at this moment.
 *
 * @returns the variable that leads the loader there; nothing where the package is complete.
 */
export const linkedLibraries = (native: string, dataDir: string): NodeJS.ProcessEnv => {
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  const inherited = process.env[variable];
  const links = linksOf(native);
  if (links.every(({ target }) => existsSync(target))) {
    return inherited === undefined ? {} : { [variable]: inherited };
  }
  const folder = join(dataDir, LIBRARIES);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { source, target } of links) {
    const link = join(folder, basename(target));
    rmSync(link, { force: true }); // It may lead to where the package was before it was moved.
    symlinkSync(source, link);
  }
  // A library that is loaded through a link looks for its own needs beside the link, not beside the file.
  const path = [folder, join(native, 'lib'), inherited].filter((part) => part !== undefined && part !== '');
  return { [variable]: path.join(':') };
};

/** The list that the package keeps for its install script, with paths relative to the package. */
const linksOf = (native: string): readonly Link[] => {
  const path = join(native, 'pg-symlinks.json');
  if (!existsSync(path)) return [];
  const list: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const inPackage = (relative: string): string => join(dirname(native), relative);
  return (Array.isArray(list) ? list : []).flatMap((entry: unknown) =>
    isLink(entry) ? [{ source: inPackage(entry.source), target: inPackage(entry.target) }] : [],
  );
};

const isLink = (value: unknown): value is Link =>
  typeof value === 'object' &&
  value !== null &&
  'source' in value &&
  typeof value.source === 'string' &&
  'target' in value &&
  typeof value.target === 'string';
