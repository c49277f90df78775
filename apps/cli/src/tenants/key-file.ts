import { open, rm } from 'node:fs/promises';
import { AppError } from '@app/kernel';

/** A file for one API key, created before the key. */
export type KeyFile = {
  /** Writes the key and syncs it to disk. */
  keep(key: string): Promise<void>;
  /** Removes the file if no key was issued. */
  discard(): Promise<void>;
};

/**
 * Creates a file of mode 0600 for a key.
 *
 * @throws {AppError} `key-file-unwritable` if the file exists or cannot be created.
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
