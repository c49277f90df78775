import { randomBytes } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Installation } from '../installation/installation.js';
import { CLUSTER, clusterOf, DATABASE, DRAFT_PREFIX, grantsFileOf, passwordFileOf } from '../layout.js';
import { GRANTS_SQL } from './grants.js';
import { runTool } from './run-tool.js';

/**
 * Creates the cluster of a data folder, with the role and the database `palimpsest`, and the reader role.
 *
 * Runs in a folder beside it, without syncs; one sync at the end and a rename make it final. A crash leaves a folder
 * that the next start removes.
 *
 * Texts sort by code point, without a system locale. The superuser's random password is discarded: network clients
 * use the role, which owns its database and nothing else.
 */
export const createCluster = async (
  { initdb, postgres, env }: Installation,
  dataDir: string,
  signal: AbortSignal,
): Promise<void> => {
  const draft = mkdtempSync(join(dataDir, DRAFT_PREFIX));
  const cluster = join(draft, CLUSTER);
  const forgotten = join(draft, 'superuser-password');
  const password = newPassword();
  const run = (program: string, args: readonly string[], input = ''): Promise<void> =>
    runTool({ program, args, env, input, dataDir, signal });
  try {
    writeFileSync(forgotten, newPassword(), { mode: 0o600 });
    await run(initdb, ['-D', cluster, `--pwfile=${forgotten}`, ...INITDB_OPTIONS]);
    await run(postgres, ['--single', '-D', cluster, ...SINGLE_USER_OPTIONS, 'template1'], firstSql(password));
    writeFileSync(passwordFileOf(cluster), password, { mode: 0o600 });
    writeFileSync(grantsFileOf(cluster), '', { mode: 0o600 });
    await run(initdb, ['-D', cluster, '--sync-only', ...SYNC_OPTIONS]);
    renameSync(cluster, clusterOf(dataDir));
    await syncFolder(dataDir);
  } finally {
    rmSync(draft, { recursive: true, force: true, maxRetries: 3 });
  }
};

const INITDB_OPTIONS = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-sync',
  '--no-instructions',
];
/** One call to Linux in place of one for each of 1,300 files. Other systems have none. */
const SYNC_OPTIONS = process.platform === 'linux' ? ['--sync-method=syncfs'] : [];
const SINGLE_USER_OPTIONS = ['-F', '-c', 'exit_on_error=on', '-c', 'log_checkpoints=off'];

/** Returns letters, digits, `-` and `_`, which neither SQL nor a URL needs to escape. */
const newPassword = (): string => randomBytes(24).toString('base64url');

/**
 * One statement per line, as the single-user server reads them. Passed by standard input, since all users see
 * arguments.
 */
const firstSql = (password: string): string =>
  [
    `CREATE ROLE ${DATABASE} LOGIN PASSWORD '${password}'`,
    ...GRANTS_SQL,
    `CREATE DATABASE ${DATABASE} OWNER ${DATABASE}`, // A copy of template1, with its grants.
    '',
  ].join('\n');

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};
