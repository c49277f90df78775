import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LIBRARIES } from '../layout.js';

type Link = { readonly source: string; readonly target: string };

/**
 * Creates links to the shared libraries within the data folder if the package lacks them. npm packages cannot contain
 * symbolic links, so these packages create theirs in an install script, which npm may skip. The package itself is not
 * changed: it may be read-only, or shared with concurrent installations.
 * @returns the variable for the loader's search path; an empty object if the package is complete.
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
    rmSync(link, { force: true }); // A link may point to the package's previous location.
    symlinkSync(source, link);
  }
  // A library that is loaded through a link resolves its dependencies beside the link, not beside the file.
  const path = [folder, join(native, 'lib'), inherited].filter((part) => part !== undefined && part !== '');
  return { [variable]: path.join(':') };
};

/** Returns the list of the package's install script, with paths relative to the package. */
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
