import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newSecretKey, readSecretKeys, type SecretKey } from '@app/adapters/secret-box';
import { AppError } from '@app/kernel';
import type { AppConfig } from '../../config.js';

/** In the data folder, where nobody has named another place. */
const KEY_FILE = 'secrets.key';
const FORM = 'give 32 random bytes as base64, such as `openssl rand -base64 32` makes';

/**
 * The keys that secrets are sealed and opened with, the one that seals first: those of the configuration, or those of
 * the data folder, which is given one at the first start. None where there is neither.
 *
 * @param folder the data folder, where the database is in it.
 * @throws {AppError} `unreadable-file`, `invalid-configuration`, `data-folder-unusable`, none with a word of a key.
 */
export const secretKeys = async (
  config: AppConfig,
  folder: string | undefined,
): Promise<readonly SecretKey[]> => {
  const { PALIMPSEST_SECRETS_KEY: written, PALIMPSEST_SECRETS_KEY_FILE: file } = config;
  if (written !== undefined) return keysIn(written, 'PALIMPSEST_SECRETS_KEY');
  if (file !== undefined) return keysIn(await textOf(file), `PALIMPSEST_SECRETS_KEY_FILE: ${file}`);
  if (folder === undefined) return [];
  const own = join(folder, KEY_FILE);
  if (!existsSync(own)) await makeKeyFile(own);
  return keysIn(await textOf(own), own);
};

const keysIn = (text: string, place: string): readonly SecretKey[] => {
  const keys = readSecretKeys(text);
  if (keys) return keys;
  throw new AppError('invalid-configuration', `the configuration is wrong: ${place} holds no key: ${FORM}`);
};

const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((cause: unknown) => {
    throw new AppError('unreadable-file', `${file} cannot be read: it should hold keys for secrets`, {
      cause,
    });
  });

/** A file that is there is never touched: without its keys, what they have sealed is lost. */
const makeKeyFile = async (file: string): Promise<void> => {
  const draft = `${file}.${randomUUID()}`;
  try {
    // Written aside and linked: a crash leaves either no file or a whole one, and no file takes another's place.
    await writeFile(draft, `# Palimpsest seals secrets with it: keep a copy.\n${newSecretKey()}\n`, {
      mode: 0o600,
      flush: true,
    });
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    const why = codeOf(error) ?? 'unknown reason';
    throw new AppError('data-folder-unusable', `${file} cannot be made (${why})`, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
};

const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
