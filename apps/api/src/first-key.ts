import { chmod, mkdir, open, rename } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '@app/kernel';
import type { FirstKeyKeeper } from '@app/platform';

/** In the data folder, readable by its owner alone. */
const FILE = 'first-api-key';

/** What takes the first key. `file` is where it was written, once it was. */
export type KeptFirstKey = FirstKeyKeeper & { readonly file: () => string | undefined };

/**
 * Prints the first key once where `terminal` is given; else writes it to a file of mode 0600 in `folder`, since other
 * outputs end in logs. That file is opened before the key is issued: a key that cannot be kept would lock everyone out.
 *
 * @throws {AppError} `key-file-unwritable`.
 */
export const firstKeyKeeper = (
  folder: string,
  terminal: ((text: string) => void) | undefined,
): KeptFirstKey => {
  let written: string | undefined;
  const toTerminal = async (key: string): Promise<void> => terminal?.(shownFirstKey(key));
  const toFile = async (): Promise<(key: string) => Promise<void>> => {
    const file = resolve(folder, FILE);
    const handle = await opened(folder, `${file}.new`);
    return async (key) => {
      try {
        await handle.writeFile(`${key}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(`${file}.new`, file);
      written = file;
    };
  };
  return { prepare: async () => (terminal ? toTerminal : await toFile()), file: () => written };
};

const opened = async (folder: string, file: string) => {
  try {
    await mkdir(folder, { recursive: true });
    const handle = await open(file, 'w', 0o600);
    await chmod(file, 0o600); // It may be there from a start that was interrupted.
    return handle;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new AppError(
      'key-file-unwritable',
      `the first API key cannot be kept: ${folder} takes no file (${code}). Make PALIMPSEST_DATA writable, or give a key as PALIMPSEST_API_KEY`,
      { cause: error },
    );
  }
};

const shownFirstKey = (key: string): string =>
  [
    'The first API key, of an admin of the tenant "default". It is not shown again:',
    `export PALIMPSEST_API_KEY=${key}`,
    '',
  ].join('\n');
