import { readFile } from 'node:fs/promises';
import { httpHook } from '@app/adapters/hooks-http';
import { AppError, codeOf } from '@app/kernel';
import type { CompactionHook } from '@app/ports';
import type { AppConfig } from '../config.js';
import { hookSecret } from '../hook-settings.js';
import { part } from './parts.js';

/** The hooks before and after each compaction. */
export const HOOKS = [
  part('hooks', ['config', 'hooksInProcess'], ({ config, hooksInProcess }) =>
    hooksFor(config, hooksInProcess),
  ),
];

/** The hooks of the process first, then the one over HTTP. */
const hooksFor = async (
  config: AppConfig,
  inProcess: readonly CompactionHook[],
): Promise<readonly CompactionHook[]> => {
  const url = config.PALIMPSEST_HOOK_URL;
  if (url === undefined) return inProcess;
  const hook = httpHook({
    url,
    secret: config.PALIMPSEST_HOOK_SECRET ?? (await secretIn(config.PALIMPSEST_HOOK_SECRET_FILE ?? '')),
    timeLimitMs: config.PALIMPSEST_HOOK_TIMEOUT_MS,
    onFailure: config.PALIMPSEST_HOOK_ON_FAILURE,
    content: config.PALIMPSEST_HOOK_CONTENT,
  });
  return [...inProcess, hook];
};

/** @throws {AppError} `invalid-configuration`, without the content of the file. */
const secretIn = async (file: string): Promise<string> => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fault(`it cannot be read (${codeOf(error) ?? 'unknown reason'})`, error);
  });
  const secret = hookSecret.safeParse(text.trim());
  if (secret.success) return secret.data;
  throw fault('it holds no secret: put whsec_ and at least 24 bytes as base64 into it');
};

const fault = (why: string, cause?: unknown): AppError =>
  new AppError('invalid-configuration', `the configuration is wrong: PALIMPSEST_HOOK_SECRET_FILE: ${why}`, {
    cause,
  });
