// A process that runs an embedded PostgreSQL on the given folder, reports it over IPC, and stays until killed.
// `PALIMPSEST_DIST` selects another build than the project's.
import { pathToFileURL } from 'node:url';

const dist = process.env.PALIMPSEST_DIST
  ? pathToFileURL(`${process.env.PALIMPSEST_DIST}/`)
  : new URL('../../../dist/', import.meta.url);
const { spawnPostgres } = await import(new URL('libs/embedded-postgres/src/index.js', dist).href);

const [dataDir] = process.argv.slice(2);
try {
  const { url, pid } = await spawnPostgres({ dataDir });
  process.send({ url, pid });
} catch (error) {
  process.send({ code: error.code, message: error.message });
}
process.on('message', () => {}); // Keeps the process alive.
