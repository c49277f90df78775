import { chmod, mkdir, open, rename } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError, codeOf } from '@app/kernel';
import type { FirstKeyKeeper } from '@app/platform';

/** File in the data folder with mode 0600. */
const FILE = 'first-api-key';

/** Stores the first key. `file` returns the path of the file; `undefined` until one is written. */
export type KeptFirstKey = FirstKeyKeeper & { readonly file: () => string | undefined };

/**
 * Prints the first key once if `terminal` is given; otherwise writes it to a file of mode 0600 in `folder`, since other
 * outputs end up in logs. The file is opened before the key is issued: losing the key would lock out every user.
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
    await chmod(file, 0o600); // An interrupted start may have left the file with another mode.
    return handle;
  } catch (error) {
    throw new AppError(
      'key-file-unwritable',
      `the first API key cannot be written to ${folder} (${codeOf(error) ?? 'unknown reason'}): make PALIMPSEST_DATA writable, or set a key as PALIMPSEST_API_KEY`,
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
