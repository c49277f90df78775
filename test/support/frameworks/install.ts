import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Framework } from './frameworks.js';

const run = promisify(execFile);
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CACHE = join(ROOT, '.frameworks');

export type Installed = { readonly framework: Framework; readonly folder: string; readonly version: string };

/**
 * Installs a framework into a folder of its own, once. The folder is ignored by git and survives a run.
 *
 * @returns `undefined` with a line on standard error if the registry cannot provide it.
 */
export const install = async (framework: Framework): Promise<Installed | undefined> => {
  const folder = join(CACHE, framework.name);
  const wanted = framework.install.join(' ');
  const marker = join(folder, 'installed.txt');
  if ((await readFile(marker, 'utf8').catch(() => '')) !== wanted) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    const args = [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      ...framework.install,
    ];
    try {
      await run('npm', args, { cwd: folder, timeout: 300_000 });
    } catch (error) {
      process.stderr.write(
        `frameworks: ${framework.name} is skipped, since npm cannot install it: ${firstLine(error)}\n`,
      );
      return undefined;
    }
    await writeFile(marker, wanted);
  }
  const manifest: unknown = JSON.parse(
    await readFile(join(folder, 'node_modules', framework.package, 'package.json'), 'utf8'),
  );
  return { framework, folder, version: String(Object(manifest).version) };
};

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[1] ?? '';
