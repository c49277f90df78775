import { open, rm } from 'node:fs/promises';
import { AppError } from '@app/kernel';

/** A file for one key, made before the key is. */
export type KeyFile = {
  /** Writes the key, and makes sure that it is on disk. */
  keep(key: string): Promise<void>;
  /** Removes the file if no key was issued. */
  discard(): Promise<void>;
};

/**
 * Creates the file that a key is to be written to, of mode 0600.
 *
 * @throws {AppError} `key-file-unwritable` where there is one already, or it cannot be created.
 */
export const newKeyFile = async (path: string): Promise<KeyFile> => {
  const handle = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'there is one already' : `it cannot be created (${error.code})`;
    throw new AppError('key-file-unwritable', `no key was issued for ${path}: ${why}. Name a new file`, {
      cause: error,
    });
  });
  let isKept = false;
  return {
    keep: async (key) => {
      await handle.writeFile(`${key}\n`);
      isKept = true;
      await handle.sync();
      await handle.close();
    },
    discard: async () => {
      if (isKept) return;
      await handle.close();
      await rm(path, { force: true });
    },
  };
};
