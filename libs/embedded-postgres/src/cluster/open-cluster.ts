import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@app/kernel';
import { isErrno, OWN_SERVER } from '../failures.js';
import type { Installation } from '../installation/installation.js';
import { clusterOf, DRAFT_PREFIX, MAJOR_VERSION, passwordFileOf } from '../layout.js';
import { createCluster } from './create-cluster.js';
import { addGrants } from './grants.js';

/**
 * Returns the password of the cluster, and creates the cluster if missing. Only the owner of the data folder may call
 * it.
 * @throws {AppError} `data-folder-newer` if another major version of PostgreSQL wrote it.
 */
export const openCluster = async (
  installation: Installation,
  dataDir: string,
  signal: AbortSignal,
): Promise<string> => {
  const cluster = clusterOf(dataDir);
  for (const name of readdirSync(dataDir).filter((found) => found.startsWith(DRAFT_PREFIX))) {
    rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 });
  }
  if (!existsSync(cluster)) await createCluster(installation, dataDir, signal);
  requireVersion(dataDir, readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim());
  const password = passwordOf(dataDir);
  await addGrants(installation, dataDir, signal);
  return password;
};

const requireVersion = (dataDir: string, version: string): void => {
  if (version === String(MAJOR_VERSION)) return;
  const text = `the data folder ${dataDir} was written by PostgreSQL ${version}, and this is ${MAJOR_VERSION}`;
  const advice = `use the Palimpsest version that wrote it, choose another folder, ${OWN_SERVER}`;
  throw new AppError('data-folder-newer', `${text}: ${advice}`);
};

const passwordOf = (dataDir: string): string => {
  const path = passwordFileOf(clusterOf(dataDir));
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
    const text = `${path} is missing, which is required to connect: restore it from a backup, ${OWN_SERVER}`;
    throw new AppError('data-folder-unusable', text, { cause: error });
  }
};
