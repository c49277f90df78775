import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { invariant } from '@app/kernel';

/** One step forward of the schema: `migrations/0001_blobs.sql` has the number 1 and the name `0001_blobs`. */
export type Migration = {
  readonly number: number;
  readonly name: string;
  /** SHA-256 of the text with Unix line ends, in hex, so that a checkout on Windows has the same. */
  readonly sha256: string;
  readonly sql: string;
};

/** Every migration of a folder in its order. They count from 1 without a gap. */
export const readMigrations = async (folder: string): Promise<readonly Migration[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (file, index) => {
      const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1]);
      invariant(number === index + 1, `${file} should be migration ${index + 1}, named NNNN_name.sql`);
      const sql = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
      const sha256 = createHash('sha256').update(sql).digest('hex');
      return { number, name: file.slice(0, -'.sql'.length), sha256, sql };
    }),
  );
};

/** The project's `migrations/`, above this file both as source and as built to `dist/`. */
export const projectMigrations = (): string => {
  for (let folder = import.meta.url.startsWith('file:') ? dirname(fileURLToPath(import.meta.url)) : '/'; ; ) {
    const found = join(folder, 'migrations');
    if (existsSync(found) && existsSync(join(folder, 'package.json'))) return found;
    invariant(folder !== dirname(folder), 'the folder migrations/ is missing from this installation');
    folder = dirname(folder);
  }
};
