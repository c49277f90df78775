import { readFile } from 'node:fs/promises';
import { AppError } from '@app/kernel';
import { parsePolicy, TlogError } from '@app/tlog';
import { z } from 'zod';
import type { AppConfig } from '../../config.js';

/** Settings of the transparency logs. */
export const transparencySettings = {
  /** A file of witnesses, groups and the quorum, in the form of tlog-policy without logs. */
  PALIMPSEST_WITNESSES: z.string().min(1).optional(),
  /** Whether checkpoints carry a second signature, by ML-DSA-44, which quantum computers cannot forge. */
  PALIMPSEST_LOG_ML_DSA: z.enum(['on', 'off'], { error: 'give on or off' }).default('off'),
};

const NO_WITNESSES = 'quorum none\n';

/** @throws {AppError} `unreadable-file`, `invalid-configuration` for a file that is no policy. */
export const logSettings = async (
  config: Pick<AppConfig, 'PALIMPSEST_WITNESSES' | 'PALIMPSEST_LOG_ML_DSA'>,
): Promise<{ readonly witnessPolicy: string; readonly secondSignature: boolean }> => {
  const { PALIMPSEST_WITNESSES: file } = config;
  const witnessPolicy = file === undefined ? NO_WITNESSES : await textOf(file);
  try {
    parsePolicy(witnessPolicy);
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    throw new AppError(
      'invalid-configuration',
      `PALIMPSEST_WITNESSES: ${file} is no policy: ${error.message}`,
    );
  }
  return { witnessPolicy, secondSignature: config.PALIMPSEST_LOG_ML_DSA === 'on' };
};

const textOf = async (file: string): Promise<string> => {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new AppError(
      'unreadable-file',
      `${file} cannot be read: give a readable file for PALIMPSEST_WITNESSES`,
      {
        cause,
      },
    );
  });
  return text.endsWith('\n') ? text : `${text}\n`;
};
