import { access, constants, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AppError, codeOf, parseJson } from '@app/kernel';
import { z } from 'zod';

/** Raised when the layout of the folder changes in a way that older versions would misread. */
const FORMAT = 1;
const FORMAT_FILE = 'format.json';
const formatFile = z.object({ format: z.number().int() });

export type DataFolder = { readonly path: string; readonly eventStore: string; readonly postgres: string };

/**
 * Opens or creates the data folder of the embedded servers, which this user must be able to write.
 *
 * @throws {AppError} `data-folder-newer`, `data-folder-unusable`, `disk-full`.
 */
export const openDataFolder = (given: string): Promise<DataFolder> => opened(given, constants.W_OK);

const opened = async (given: string, mode: number): Promise<DataFolder> => {
  const path = resolve(given);
  const folder = { path, eventStore: join(path, 'eventstore'), postgres: join(path, 'postgres') };
  try {
    await makeFolder(path);
    await access(path, mode);
    await checkFormat(path);
  } catch (error) {
    throw asAppError(error, path);
  }
  // A command of another user, such as one with sudo, may have left parts that this user may not write.
  for (const part of [folder.eventStore, folder.postgres])
    await access(part, mode).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw asAppError(error, part);
    });
  return folder;
};

/**
 * Opens an existing data folder.
 *
 * @throws {AppError} `data-folder-unusable` if there is none; otherwise as {@link openDataFolder}.
 */
export const findDataFolder = async (given: string): Promise<DataFolder> => {
  const path = resolve(given);
  const isThere = await access(join(path, FORMAT_FILE)).then(
    () => true,
    (error: unknown) => {
      if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return false;
      throw asAppError(error, path);
    },
  );
  if (isThere) return opened(path, constants.R_OK);
  throw new AppError('data-folder-unusable', `${path} is no data folder of Palimpsest: name one with --data`);
};

/**
 * Creates missing folders one by one: Node's recursive option never returns if an existing parent accepts no folders, as in
 * /proc.
 */
export const makeFolder = async (path: string, mode = 0o777): Promise<void> => {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path), mode);
    await mkdir(path, { mode });
  }
};

const checkFormat = async (path: string): Promise<void> => {
  const file = join(path, FORMAT_FILE);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) {
    // Written to a temporary file and renamed, so that a crash leaves no partial file.
    const draft = `${file}.${process.pid}`;
    await writeFile(draft, `${JSON.stringify({ format: FORMAT })}\n`);
    return rename(draft, file);
  }
  const { format } = formatFile.catch({ format: Number.NaN }).parse(parseJson(text));
  if (Number.isNaN(format)) {
    throw new AppError(
      'data-folder-unusable',
      `${file} has no format version, so the folder may not belong to Palimpsest: choose another with --data`,
    );
  }
  if (format > FORMAT) {
    throw new AppError(
      'data-folder-newer',
      `${path} was written by a newer version of Palimpsest: update this one`,
    );
  }
};

const asAppError = (error: unknown, path: string): unknown => {
  if (error instanceof AppError) return error;
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError('disk-full', `no space is left for ${path}: nothing was written`, { cause: error });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return unusable(path, error, 'give this user write access, or choose another with --data');
    default:
      return unusable(path, error, 'choose another with --data');
  }
};

const unusable = (path: string, cause: unknown, remedy: string): AppError =>
  new AppError(
    'data-folder-unusable',
    `${path} cannot be used (${codeOf(cause) ?? 'unknown reason'}): ${remedy}`,
    { cause },
  );
