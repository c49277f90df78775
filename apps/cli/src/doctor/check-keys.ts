import { AppError } from '@app/kernel';
import type { AppConfig } from '@app/platform';
import { loadEngine } from '../engine.js';
import { type CheckResult, fail, ok } from './check.js';

/** Checks that the configured keys of the installation can be read, and that the key store that has encrypted them decrypts them. */
export const checkKeys = async (config: AppConfig): Promise<CheckResult> => {
  const { secretKeys } = await loadEngine();
  try {
    const { length } = await secretKeys(config, undefined, false);
    return ok('keys', length === 0 ? 'in the data folder' : `${length} configured, and readable`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return fail('keys', error.message, 'see "Keys" in docs/guides/operating.md');
  }
};
