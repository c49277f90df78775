import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './install.js';

const run = promisify(execFile);

/**
 * Packs the product as npm publishes it, and installs it into an empty folder.
 *
 * @param folder an existing folder.
 * @returns the path of its program `palimpsest`.
 */
export const installPacked = async (folder: string): Promise<string> => {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const npm = (args: readonly string[], cwd: string) =>
    run('npm', [...args, '--no-audit', '--no-fund'], { cwd, env, maxBuffer: 2 ** 26 });
  await npm(['pack', '--pack-destination', folder], ROOT);
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  const app = join(folder, 'app');
  await mkdir(app);
  await writeFile(join(app, 'package.json'), JSON.stringify({ private: true }));
  await npm(['install', join(folder, tarball)], app);
  return join(app, 'node_modules/palimpsest/bin/palimpsest.mjs');
};
