import { access, constants, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { KnownService } from '../run/known-service.js';
import { type CheckResult, fail, ok, warn } from './check.js';

/** Free bytes below which the embedded servers may fill the disk soon. */
const FREE_MIN = 1_000_000_000;

/** Checks the data folder without creating it. */
export const checkFolder = async (
  folder: string,
  service: KnownService | undefined,
): Promise<CheckResult> => {
  const elsewhere = 'choose another with --data or PALIMPSEST_DATA';
  const existing = await nearest(folder);
  if (!(await stat(existing)).isDirectory())
    return fail('data folder', `${existing} is no folder`, elsewhere);
  const isWritable = await access(existing, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    return fail('data folder', `${existing} is not writable`, `make it writable, or ${elsewhere}`);
  const isForeign =
    existing === folder && !(await exists(join(folder, 'format.json'))) && !(await isEmpty(folder));
  if (isForeign) return fail('data folder', `${folder} has other files in it`, elsewhere);
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  if (free < FREE_MIN)
    return warn(
      'data folder',
      `${folder} has ${Math.floor(free / 1_000_000)} MB free`,
      `free some space, or ${elsewhere}`,
    );
  if (service) return ok('data folder', `${folder}, used by the service at ${service.url}`);
  return ok('data folder', existing === folder ? folder : `${folder}, created at the first start`);
};

/** Returns the nearest folder that exists: the given one, or one above it. */
const nearest = async (folder: string): Promise<string> => {
  if (await exists(folder)) return folder;
  return dirname(folder) === folder ? folder : nearest(dirname(folder));
};

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const isEmpty = async (folder: string): Promise<boolean> => (await readdir(folder)).length === 0;
