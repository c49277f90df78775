import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Formats and writes a source that git does not track; leaves a current file as it is. @param file its path in the repository. */
export const writeGenerated = async (file, source) => {
  const text = await formatted(file, source);
  const path = join(root, file);
  if ((await readFile(path, 'utf8').catch(() => '')) === text) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
};

const formatted = async (file, source) => {
  // Biome leaves files alone that git ignores.
  const format = promisify(execFile)(
    join(root, 'node_modules/.bin/biome'),
    ['format', '--vcs-use-ignore-file=false', `--stdin-file-path=${file}`],
    { cwd: root, maxBuffer: 16 * 1024 * 1024 },
  );
  format.child.stdin.end(source);
  return (await format).stdout;
};
