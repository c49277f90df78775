import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Framework } from './frameworks.js';

const run = promisify(execFile);
/** Specs and benchmarks run in the root of the repository, from their sources or compiled. */
export const ROOT = process.cwd();
const CACHE = join(ROOT, '.frameworks');
/** Not in `CACHE`: checks of this repository's files pass over `node_modules` alone. */
const BUN_CACHE = join(ROOT, 'node_modules/.cache/bun');

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
  const { hasInstallScript, install: packages, name } = framework;
  const wanted = [...packages, ...(hasInstallScript ? ['with its script'] : [])].join(' ');
  try {
    const folder = await installOnce(name, wanted, async (own) => {
      await add(packages, own);
      if (hasInstallScript) await run('npm', ['rebuild', framework.package], { cwd: own });
    });
    const manifest: unknown = JSON.parse(
      await readFile(join(folder, 'node_modules', framework.package, 'package.json'), 'utf8'),
    );
    const node = framework.node === undefined ? process.execPath : await installNode(framework.node);
    return { framework, folder, node, version: String(Object(manifest).version) };
  } catch (error) {
    process.stderr.write(
      `frameworks: ${name} is skipped, since npm cannot install it: ${firstLine(error)}\n`,
    );
    return undefined;
  }
};

/** Installs the newest Node of a major version, once, and returns its program: npm has its binaries as packages named by platform. */
export const installNode = async (major: string): Promise<string> => {
  const name = `node-${platform()}-${arch()}`;
  const wanted = `${name}@${major}`;
  const folder = await installOnce(`node-${major}`, wanted, (own) => add([wanted], own));
  return join(folder, 'node_modules', name, 'bin/node');
};

/** Installs the packages of a folder's lock file into it, once. */
export const installLocked = async (folder: string): Promise<void> => {
  const stamp = join(folder, 'node_modules/installed.txt');
  const isDone = await access(stamp).then(
    () => true,
    () => false,
  );
  if (isDone) return;
  await withBun(['install', '--no-save'], ['ci'], folder);
  await writeFile(stamp, '');
};

const add = (packages: readonly string[], folder: string): Promise<void> =>
  withBun(['add', ...packages], ['install', ...packages], folder);

/** Installs without scripts: with Bun, in a fraction of npm's processor time, or with npm where Bun fails. */
const withBun = async (ofBun: readonly string[], ofNpm: readonly string[], folder: string): Promise<void> => {
  try {
    const env = { ...process.env, NODE_OPTIONS: '', BUN_INSTALL_CACHE_DIR: BUN_CACHE };
    const args = [...ofBun, '--ignore-scripts', '--no-progress'];
    await run(await installBun(), args, { cwd: folder, env, timeout: TIMEOUT_MS });
  } catch {
    await rm(join(folder, 'node_modules'), { recursive: true, force: true });
    await withNpm(ofNpm, folder);
  }
};

const withNpm = async (args: readonly string[], folder: string): Promise<void> => {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const all = [...args, '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', all, { cwd: folder, env, timeout: TIMEOUT_MS });
};

/** Returns the program of Bun; `baseline` runs on every processor. */
const installBun = async (): Promise<string> => {
  const name = `@oven/bun-${platform()}-${arch() === 'arm64' ? 'aarch64' : 'x64-baseline'}`;
  const wanted = `${name}@1`;
  const folder = await installOnce('bun', wanted, (own) => withNpm(['install', wanted], own));
  return join(folder, 'node_modules', name, 'bin/bun');
};

const TIMEOUT_MS = 300_000;

type Fill = (own: string) => Promise<void>;
const installing = new Map<string, Promise<string>>();
/** Fills a folder of the cache, unless it already has what is wanted, and returns it. */
const installOnce = (name: string, wanted: string, fill: Fill): Promise<string> => {
  const known = installing.get(name) ?? installFolder(name, wanted, fill);
  installing.set(name, known);
  return known;
};

const installFolder = async (name: string, wanted: string, fill: Fill): Promise<string> => {
  const folder = join(CACHE, name);
  const isDone = async () =>
    (await readFile(join(folder, 'installed.txt'), 'utf8').catch(() => '')) === wanted;
  if (await isDone()) return folder;
  // Another process may install the same: each installs apart, and the first to be complete is used by all.
  const own = `${folder}-${process.pid}`;
  await mkdir(own, { recursive: true });
  try {
    // Or packages are installed into a folder above.
    await writeFile(join(own, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    await fill(own);
    await writeFile(join(own, 'installed.txt'), wanted);
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    throw error;
  }
  await replaceUnless(folder, own, isDone);
  return folder;
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
