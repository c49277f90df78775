import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type KeyStoreSettings,
  newSecretKey,
  readSecretKeys,
  type SecretKey,
  unwrapKeys,
  unwrapperOf,
} from '@app/adapters/secret-box';
import { AppError, codeOf, defined, unreadableFile } from '@app/kernel';
import type { AppConfig } from '../../config.js';

/** Default file in the data folder. */
export const OWN_KEY_FILE = 'secrets.key';
const FORM = 'give 32 random bytes as base64, such as `openssl rand -base64 32` makes';

/**
 * Returns the keys that seal and open secrets, the sealing one first: configured ones, or those of the data folder, which are
 * created at the first start; none without either.
 *
 * @param folder the data folder, if it contains the database.
 * @param isNew whether a key may be created: the installation has none yet.
 * @param unwrap decrypts keys that a key store has encrypted, and returns others as they are.
 * @throws {AppError} `unreadable-file`, `key-store-unreachable`, `invalid-configuration`, `data-folder-unusable`, `installation-key-wrong` if the key of
 *   the data folder is missing; messages never contain a key.
 */
export const secretKeys = async (
  config: AppConfig,
  folder: string | undefined,
  isNew = true,
  unwrap = keyStoresOf(config),
): Promise<readonly SecretKey[]> => {
  const keysIn = async (text: string, place: string) => parsed(await unwrapKeys(text, unwrap), place);
  const { PALIMPSEST_SECRETS_KEY: written, PALIMPSEST_SECRETS_KEY_FILE: file } = config;
  if (written !== undefined) return keysIn(written, 'PALIMPSEST_SECRETS_KEY');
  if (file !== undefined) return keysIn(await textOf(file), `PALIMPSEST_SECRETS_KEY_FILE: ${file}`);
  if (folder === undefined) return [];
  const own = join(folder, OWN_KEY_FILE);
  if (!existsSync(own)) {
    if (!isNew)
      throw new AppError(
        'installation-key-wrong',
        `${own} is missing, the key of this installation: put it back from a copy`,
      );
    await makeKeyFile(own);
  }
  return keysIn(await textOf(own), own);
};

/** Returns the key file of a data folder; `null` if the operator configures the keys. */
export const ownKeyFileText = async (
  config: AppConfig,
  folder: string | undefined,
): Promise<string | null> => {
  const { PALIMPSEST_SECRETS_KEY: written, PALIMPSEST_SECRETS_KEY_FILE: file } = config;
  if (written !== undefined || file !== undefined || folder === undefined) return null;
  return textOf(join(folder, OWN_KEY_FILE));
};

type Unwrap = (written: string) => Promise<string>;

/** Returns a function that lets key stores decrypt keys, each once: afterwards the process needs them for other keys only. */
export const keyStoresOf = (config: AppConfig): Unwrap => {
  const unwrapped = new Map<string, string>();
  return async (written) => {
    const known = unwrapped.get(written);
    if (known !== undefined) return known;
    const unwrap = unwrapperOf(written, storeSettings(config));
    if (!unwrap) return written;
    const key = await unwrap(written);
    unwrapped.set(written, key);
    return key;
  };
};

const storeSettings = (config: AppConfig): KeyStoreSettings => {
  const { PALIMPSEST_VAULT_ADDR: address, PALIMPSEST_VAULT_TOKEN_FILE: tokenFile } = config;
  const { PALIMPSEST_KMS_KEY: key, PALIMPSEST_KMS_URL: url } = config;
  return {
    ...defined({ key, url }),
    ...(address !== undefined &&
      tokenFile !== undefined && {
        vault: {
          address,
          mount: config.PALIMPSEST_VAULT_MOUNT,
          key: config.PALIMPSEST_VAULT_KEY,
          namespace: config.PALIMPSEST_VAULT_NAMESPACE,
          token: async () => (await textOf(tokenFile)).trim(),
        },
      }),
  };
};

const parsed = (text: string, place: string): readonly SecretKey[] => {
  const keys = readSecretKeys(text);
  if (keys) return keys;
  throw new AppError('invalid-configuration', `the configuration is wrong: ${place} holds no key: ${FORM}`);
};

const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((cause: unknown) => {
    throw unreadableFile(file, cause);
  });

/** Creates the key file; an existing one is never changed, since secrets cannot be opened without its keys. */
const makeKeyFile = async (file: string): Promise<void> => {
  const draft = `${file}.${randomUUID()}`;
  try {
    // Written to a temporary file and linked: a crash leaves no partial file, and no existing file is replaced.
    await writeFile(draft, `# Palimpsest seals secrets with it: keep a copy.\n${newSecretKey()}\n`, {
      mode: 0o600,
      flush: true,
    });
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    const why = codeOf(error) ?? 'unknown reason';
    throw new AppError(
      'data-folder-unusable',
      `${file} cannot be created (${why}): make its folder writable`,
      { cause: error },
    );
  } finally {
    await rm(draft, { force: true });
  }
};
