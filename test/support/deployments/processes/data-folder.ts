import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Creates a data folder of a service that has not been started: empty, or with the cluster of `scripts/test-cluster.mjs`. */
export const newDataFolder = async (prefix: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  await prepareDataFolder(folder);
  return folder;
};

/** Adds the prepared cluster, if there is one, to a data folder of a service, unless that has files. */
export const prepareDataFolder = async (folder: string): Promise<void> => {
  const files = await readdir(folder).catch(() => []);
  if (files.length === 0) await addCluster(join(folder, 'postgres'));
};

/** Copies the prepared cluster, if there is one, into the data folder of a PostgreSQL server, which is empty or missing. */
export const addCluster = async (folder: string): Promise<void> => {
  const { TEST_CLUSTER: cluster } = process.env;
  if (cluster === undefined) return;
  await mkdir(folder, { recursive: true });
  // Keeps owners, unlike `fs.cp`: as root, the server runs as another user.
  await promisify(execFile)('cp', ['-a', cluster, join(folder, 'cluster')]);
};
