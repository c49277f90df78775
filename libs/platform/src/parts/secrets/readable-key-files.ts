import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { AppConfig } from '../../config.js';
import { logLine } from '../../log-problem.js';
import { OWN_KEY_FILE } from './secret-keys.js';

/** Settings that name a file with a secret. */
const KEY_FILES = [
  'PALIMPSEST_SECRETS_KEY_FILE',
  'PALIMPSEST_BOOTSTRAP_KEY_FILE',
  'PALIMPSEST_VAULT_TOKEN_FILE',
  'PALIMPSEST_HOOK_SECRET_FILE',
  'PALIMPSEST_ANTHROPIC_API_KEY_FILE',
  'PALIMPSEST_OPENAI_API_KEY_FILE',
] as const;

/** Read or write by users that are neither the owner nor in the group, with which containers share a mounted file. */
const BY_OTHERS = 0o006;

type KeyFileSettings = Pick<AppConfig, 'PALIMPSEST_DATA'> & {
  readonly [Name in (typeof KEY_FILES)[number]]?: string | undefined;
};
/** A file with a key that every user of the machine can open, and what to do. */
type ReadableKeyFile = { readonly file: string; readonly mode: string; readonly remedy: string };

/** Returns the files with keys that every user of the machine can open; none on Windows, which has no such modes. */
export const readableKeyFiles = (config: KeyFileSettings): readonly ReadableKeyFile[] => {
  const files = [join(config.PALIMPSEST_DATA, OWN_KEY_FILE), ...KEY_FILES.map((name) => config[name])];
  return files.flatMap((file) => {
    const found = file === undefined || process.platform === 'win32' ? undefined : modeOf(file);
    if (file === undefined || found === undefined || (found & BY_OTHERS) === 0) return [];
    const mode = `0${(found & 0o777).toString(8)}`;
    return [{ file, mode, remedy: `chmod o= ${file}; if it is mounted, mount it with the mode 0440` }];
  });
};

/** Logs a warning for each of {@link readableKeyFiles}. */
export const warnOfReadableKeyFiles = (config: KeyFileSettings): void => {
  for (const found of readableKeyFiles(config)) logLine('warn', { event: 'key-file-readable', ...found });
};

/** A file that cannot be read is reported where it is needed. */
const modeOf = (file: string): number | undefined => {
  try {
    return statSync(file).mode;
  } catch {
    return undefined;
  }
};
