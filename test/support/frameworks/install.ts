import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Framework } from './frameworks.js';

const run = promisify(execFile);
/** Specs and benchmarks run in the root of the repository, from their sources or compiled. */
export const ROOT = process.cwd();
const CACHE = join(ROOT, '.frameworks');

/** npm has the binaries of Node as packages named by platform. */
const BINARY = `node-${platform()}-${arch()}`;
const nodeOf = ({ node }: Framework): readonly string[] => (node === undefined ? [] : [`${BINARY}@${node}`]);

export type Installed = {
  readonly framework: Framework;
  readonly folder: string;
  readonly version: string;
  /** The Node that runs it. */
  readonly node: string;
};

/**
 * Installs a framework into a folder of its own, once. The folder is ignored by git and survives a run.
 *
 * @returns `undefined` with a line on standard error if the registry cannot provide it.
 */
export const install = async (framework: Framework): Promise<Installed | undefined> => {
  const folder = join(CACHE, framework.name);
  const packages = [...framework.install, ...nodeOf(framework)];
  const wanted = [...packages, ...(framework.hasInstallScript ? ['with its script'] : [])].join(' ');
  const marker = join(folder, 'installed.txt');
  if ((await readFile(marker, 'utf8').catch(() => '')) !== wanted) {
    // Another process may install the same: each installs apart, and the first to be complete is used by all.
    const own = `${folder}-${process.pid}`;
    await mkdir(own, { recursive: true });
    await writeFile(join(own, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages];
    try {
      await run('npm', args, { cwd: own, timeout: 300_000 });
      if (framework.hasInstallScript) await run('npm', ['rebuild', framework.package], { cwd: own });
    } catch (error) {
      process.stderr.write(
        `frameworks: ${framework.name} is skipped, since npm cannot install it: ${firstLine(error)}\n`,
      );
      await rm(own, { recursive: true, force: true });
      return undefined;
    }
    await writeFile(join(own, 'installed.txt'), wanted);
    await replaceUnless(folder, own, async () => (await readFile(marker, 'utf8').catch(() => '')) === wanted);
  }
  const manifest: unknown = JSON.parse(
    await readFile(join(folder, 'node_modules', framework.package, 'package.json'), 'utf8'),
  );
  const node =
    framework.node === undefined ? process.execPath : join(folder, 'node_modules', BINARY, 'bin/node');
  return { framework, folder, node, version: String(Object(manifest).version) };
};

/** Moves `own` to `folder`, unless another process has already done so with its own. */
const replaceUnless = async (folder: string, own: string, isDone: () => Promise<boolean>): Promise<void> => {
  if (!(await isDone())) await rm(folder, { recursive: true, force: true });
  await rename(own, folder).catch(async (error: unknown) => {
    await rm(own, { recursive: true, force: true });
    if (!(await isDone())) throw error;
  });
};

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[1] ?? '';
