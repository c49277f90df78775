// A PostgreSQL cluster with all migrations, for specs that need a service or a database and not its creation: creating one takes
// half of the time of a start. Made once for each set of migrations.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const postgres = join(dist, 'libs/embedded-postgres/src/index.js');
const readModel = join(dist, 'libs/adapters/read-model-postgres/src/index.js');

/** Returns its folder; `undefined` without a build. */
export const testCluster = async () => {
  if (!existsSync(postgres) || !existsSync(readModel)) return undefined;
  const folder = join(dist, `test-cluster-${await fingerprint()}`);
  if (existsSync(folder)) return folder;
  const draft = await mkdtemp(join(dist, 'test-cluster-draft-'));
  try {
    await create(draft);
    await rename(join(draft, 'cluster'), folder).catch((error) => {
      if (!existsSync(folder)) throw error; // Another run has made it meanwhile.
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
};

const create = async (dataDir) => {
  const { spawnPostgres } = await import(postgres);
  const { migrate, openDatabase } = await import(readModel);
  const server = await spawnPostgres({ dataDir });
  try {
    const { db, close } = openDatabase(server.url);
    await migrate(db);
    await close();
  } finally {
    await server.stop();
  }
};

/** Of the migrations and of the versions of all dependencies, of which PostgreSQL is one. */
const fingerprint = async () => {
  const hash = createHash('sha256');
  const migrations = (await readdir(join(root, 'migrations'))).sort().map((name) => join('migrations', name));
  for (const name of ['package-lock.json', ...migrations])
    hash.update(name).update(await readFile(join(root, name)));
  return hash.digest('hex').slice(0, 12);
};
