import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the project, jest's working directory. */
const ROOT = process.cwd();
/** Generated or installed folders. */
const NOT_OURS = new Set(['node_modules', 'dist', 'coverage', '.git', '.palimpsest']);

/** Returns the file-system path of a path from the root. */
export const place = (path: string): string => join(ROOT, path);

export const textOf = (path: string): string => readFileSync(place(path), 'utf8');
export const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n');

/** Returns the source files under a folder, as sorted paths from the root. */
export const filesUnder = (folder: string): readonly string[] =>
  entriesOf(folder).flatMap((entry) => {
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesUnder(path);
    return entry.isFile() ? [path] : [];
  });

const entriesOf = (folder: string): readonly Dirent[] =>
  readdirSync(place(folder), { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
