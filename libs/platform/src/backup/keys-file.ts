import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DumpedRow,
  dumpRows,
  type ReadModelDatabase,
  requireKey,
  type SealedInstallation,
} from '@app/adapters/read-model-postgres';
import { openSecretBox, readSecretKeys, type SecretKey } from '@app/adapters/secret-box';
import { AppError, unreadableFile } from '@app/kernel';
import { z } from 'zod';
import type { AppConfig } from '../config.js';
import { OWN_KEY_FILE, ownKeyFileText } from '../parts/secrets/secret-keys.js';
import { replaceFile } from '../servers/replace-file.js';
import type { Manifest } from './manifest.js';

const header = z.object({
  format: z.literal(1),
  writtenAt: z.iso.datetime(),
  /** The key file of the installation, if it lay in the data folder; `null` if the operator keeps it. */
  installationKey: z.string().nullable(),
  rows: z.int().min(0),
  sha256: z.string(),
});
const row = z.object({ table: z.string(), row: z.string() });
const sealedInstallation = z.object({ id: z.string(), sealed: z.string() });

export type KeysBackup = {
  readonly installation: SealedInstallation;
  /** The key file of the data folder; `null` if the operator keeps it. */
  readonly installationKey: string | null;
  readonly rows: readonly DumpedRow[];
};

/**
 * Writes the wrapped keys of content, and the key of the installation if the data folder holds it, readable by the owner alone.
 *
 * @throws {AppError} `unwritable-file`.
 */
export const writeKeysFile = async (
  path: string,
  config: AppConfig,
  servers: { readonly ownFolder: string | undefined },
  { db }: ReadModelDatabase,
): Promise<void> => {
  const lines: string[] = [];
  await dumpRows(db, 'keys', async (rows) => {
    for (const one of rows) lines.push(JSON.stringify(one));
  });
  const installationKey = await ownKeyFileText(config, servers.ownFolder);
  const about = {
    format: 1,
    writtenAt: new Date().toISOString(),
    installationKey,
    rows: lines.length,
    sha256: digestOf(installationKey, lines),
  };
  await replaceFile(path, `${[JSON.stringify(about), ...lines].join('\n')}\n`).catch((cause: unknown) => {
    throw new AppError('unwritable-file', `${path} cannot be written: give a file in a folder that exists`, {
      cause,
    });
  });
};

/** @throws {AppError} `unreadable-file`; `backup-damaged` for a file that is cut, changed or of another kind. */
export const readKeysFile = async (path: string): Promise<KeysBackup> => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw unreadableFile(path, cause);
  });
  const [first = '', ...lines] = text.split('\n').slice(0, -1);
  const about = header.safeParse(jsonIn(first)).data;
  if (!about) throw new AppError('backup-damaged', `${path} holds no keys of a backup`);
  if (lines.length < about.rows)
    throw new AppError('backup-damaged', `${path} is cut: it has ${lines.length} of ${about.rows} keys`);
  if (digestOf(about.installationKey, lines) !== about.sha256)
    throw new AppError('backup-damaged', `${path} is damaged: its checksum differs`);
  const rows = lines.map((line) => row.parse(jsonIn(line)));
  const named = rows.find(({ table }) => table === 'keys.installation');
  const installation = sealedInstallation.safeParse(named && jsonIn(named.row)).data;
  if (!installation) throw new AppError('backup-damaged', `${path} does not name its installation`);
  return { installation, installationKey: about.installationKey, rows };
};

/**
 * Requires that keys belong to a backup, and that the key of the installation is given or among them.
 *
 * @param given the configured keys.
 * @throws {AppError} `installation-mismatch`, `secrets-key-missing`, `installation-key-wrong`.
 */
export const requireKeysOf = (
  manifest: Manifest,
  { installation, installationKey }: KeysBackup,
  given: readonly SecretKey[],
): void => {
  if (installation.id !== manifest.installation)
    throw new AppError(
      'installation-mismatch',
      `the keys belong to installation ${installation.id}, and the backup to ${manifest.installation}: name the keys of this backup`,
    );
  const keys = given.length > 0 ? given : readSecretKeys(installationKey ?? '');
  if (!keys)
    throw new AppError(
      'secrets-key-missing',
      'the key of the installation is kept by its operator: give it in PALIMPSEST_SECRETS_KEY_FILE',
    );
  requireKey(installation, openSecretBox(keys));
};

const digestOf = (installationKey: string | null, lines: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([installationKey, ...lines]))
    .digest('hex');

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Writes the key of the installation to a data folder that has none. */
export const placeInstallationKey = async (folder: string, text: string): Promise<void> => {
  const path = join(folder, OWN_KEY_FILE);
  const found = await readFile(path, 'utf8').catch(() => undefined);
  if (found === undefined) await replaceFile(path, text);
  else if (found !== text)
    throw new AppError('restore-target-in-use', `${path} holds another key: restore into an empty folder`);
};
