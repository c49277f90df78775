import { AppError } from '@app/kernel';
import type { AppConfig } from '@app/platform';
import { loadEngine } from '../engine.js';
import { type CheckResult, fail, ok, warn } from './check.js';

/** Checks that the configured keys of the installation can be read, and that the key store that has encrypted them decrypts them. */
export const checkKeys = async (config: AppConfig): Promise<CheckResult> => {
  const { readableKeyFiles, secretKeys } = await loadEngine();
  try {
    const { length } = await secretKeys(config, undefined, false);
    const [readable] = readableKeyFiles(config);
    if (readable)
      return warn(
        'keys',
        `${readable.file} can be opened by every user of this machine (mode ${readable.mode})`,
        readable.remedy,
      );
    return ok('keys', length === 0 ? 'in the data folder' : `${length} configured, and readable`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return fail('keys', error.message, 'see "Keys" in docs/guides/operating.md');
  }
};
