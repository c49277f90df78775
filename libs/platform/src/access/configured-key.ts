import { readFile } from 'node:fs/promises';
import { AppError, unreadableFile } from '@app/kernel';
import type { AppConfig } from '../config.js';
import { configurableKey } from './access-settings.js';

/**
 * Returns the configured API key, given directly or as a file; `undefined` if none is configured.
 *
 * @throws {AppError} `unreadable-file`, `invalid-configuration`; messages never contain the content of the file.
 */
export const configuredKey = async (config: AppConfig): Promise<string | undefined> => {
  const { PALIMPSEST_API_KEY: key, PALIMPSEST_BOOTSTRAP_KEY_FILE: file } = config;
  if (key !== undefined || file === undefined) return key;
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw unreadableFile(file, cause);
  });
  const held = configurableKey.safeParse(text.trim());
  if (held.success) return held.data;
  throw new AppError(
    'invalid-configuration',
    `the configuration is wrong: PALIMPSEST_BOOTSTRAP_KEY_FILE: ${file} holds no key: 16 to 200 characters`,
  );
};
