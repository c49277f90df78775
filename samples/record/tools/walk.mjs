import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that are not the project's own content. */
const IGNORED = new Set(['node_modules', 'dist', '.git', '.palimpsest', 'coverage']);
/** Generated files of thousands of lines, which the walk skips. */
const TOO_LONG = new Set(['package-lock.json']);

/**
 * The files at and below `path`, relative to `root`, in the order of their code units: the same on every machine.
 *
 * @param {string} root
 * @param {string} path
 * @returns {Promise<string[]>}
 */
export const filesBelow = async (root, path) => {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (entries === undefined) return [path];
  const nested = await Promise.all(
    entries.map((entry) => {
      const name = path === '.' ? entry.name : `${path}/${entry.name}`;
      if (IGNORED.has(entry.name) || TOO_LONG.has(entry.name)) return [];
      if (entry.isDirectory()) return filesBelow(root, name);
      return entry.isFile() ? [name] : [];
    }),
  );
  return nested.flat().sort();
};
