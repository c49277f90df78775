import { execFile } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Creates a data folder of a service that has not been started: empty, or with the cluster of `scripts/test-cluster.mjs`. */
export const newDataFolder = async (prefix: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  const postgres = join(folder, 'postgres');
  if (process.env.TEST_CLUSTER === undefined) return folder;
  await mkdir(postgres);
  await addCluster(postgres);
  return folder;
};

/** Copies the prepared cluster, if there is one, into the empty data folder of a PostgreSQL server. */
export const addCluster = async (folder: string): Promise<void> => {
  const { TEST_CLUSTER: cluster } = process.env;
  // Keeps owners, unlike `fs.cp`: as root, the server runs as another user.
  if (cluster !== undefined) await promisify(execFile)('cp', ['-a', cluster, join(folder, 'cluster')]);
};
