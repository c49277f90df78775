import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the project; jest runs there. */
const ROOT = process.cwd();
/** Made or installed, and so nobody's source. */
const NOT_OURS = new Set(['node_modules', 'dist', 'coverage', '.git', '.palimpsest']);

/** A path from the root, to a place in the file system. */
export const place = (path: string): string => join(ROOT, path);

export const textOf = (path: string): string => readFileSync(place(path), 'utf8');
export const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n');

/** Every file of ours under a folder of the project, by its path from the root, in the order of names. */
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
