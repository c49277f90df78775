// A PostgreSQL cluster with all migrations, for specs that need a service or a database and not its creation: creating one takes
// half of the time of a start. Made once for each set of migrations.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const postgres = join(dist, 'libs/embedded-postgres/src/index.js');
const readModel = join(dist, 'libs/adapters/read-model-postgres/src/index.js');
/** Not in `dist/`, of which a build removes everything that it has not written. */
const cache = join(root, 'node_modules/.cache');

/** Returns its folder; `undefined` without a build. */
export const testCluster = async () => {
  if (!existsSync(postgres) || !existsSync(readModel)) return undefined;
  const folder = join(cache, `test-cluster-${await fingerprint()}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  // As root the server runs as another user, who may not enter the folders above `cache`.
  const draft = await mkdtemp(join(tmpdir(), 'palimpsest-test-cluster-'));
  const copy = join(cache, basename(draft));
  try {
    await create(draft);
    // Keeps owners, unlike `fs.cp`.
    await promisify(execFile)('cp', ['-a', join(draft, 'cluster'), copy]);
    await rename(copy, folder).catch((error) => {
      if (!existsSync(folder)) throw error; // Another run has made it meanwhile.
    });
  } finally {
    for (const path of [draft, copy]) await rm(path, { recursive: true, force: true });
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
