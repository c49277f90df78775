import { readFile } from 'node:fs/promises';
import { AppError, codeOf, defined } from '@app/kernel';
import type { AppConfig } from '../../config.js';
import type { OperatorKeys } from './configured-summarizers.js';

/**
 * Returns the configured provider keys, given directly or as files.
 *
 * @throws {AppError} `invalid-configuration`; messages never contain the content of a file.
 */
export const operatorKeys = async (config: AppConfig): Promise<OperatorKeys> => {
  const [anthropic, openai] = await Promise.all([keyOf(config, 'ANTHROPIC'), keyOf(config, 'OPENAI')]);
  return {
    ...defined({ ANTHROPIC: anthropic, OPENAI: openai }),
  };
};

const keyOf = async (config: AppConfig, vendor: 'ANTHROPIC' | 'OPENAI'): Promise<string | undefined> => {
  const name = `PALIMPSEST_${vendor}_API_KEY_FILE` as const;
  const file = config[name];
  if (file === undefined) return config[`PALIMPSEST_${vendor}_API_KEY`];
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fault(name, `it cannot be read (${codeOf(error) ?? 'unknown reason'})`);
  });
  if (text.trim() === '') throw fault(name, 'it holds nothing: put the key into it');
  return text.trim();
};

const fault = (name: string, why: string): AppError =>
  new AppError('invalid-configuration', `the configuration is wrong: ${name}: ${why}`);
