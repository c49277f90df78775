// Runs commands of the command line one after the other, as main.ts runs one: loading the program takes most of a
// command's time, and happens once here. Controlled by `shell.ts` over IPC.
import { join } from 'node:path';
import { flushed } from '../../../dist/apps/cli/src/output/flushed.js';
import { reportError } from '../../../dist/apps/cli/src/output/report-error.js';
import { program } from '../../../dist/apps/cli/src/program.js';
import { parseConfig } from '../../../dist/libs/platform/src/index.js';
import { secretKeys } from '../../../dist/libs/platform/src/parts/secrets/secret-keys.js';
import { startServers } from '../../../dist/libs/platform/src/servers/servers.js';

const SETTINGS = ['PALIMPSEST_EVENTSTORE_URL', 'PALIMPSEST_POSTGRES_URL', 'PALIMPSEST_SECRETS_KEY_FILE'];

let servers;

/** Starts the servers of a folder, which the commands then use. */
const open = async (data) => {
  const config = parseConfig({ PALIMPSEST_DATA: data });
  servers = await startServers(config);
  await secretKeys(config, servers.ownFolder);
  process.env.PALIMPSEST_SECRETS_KEY_FILE = join(servers.ownFolder, 'secrets.key');
  process.env.PALIMPSEST_EVENTSTORE_URL = servers.eventStoreUrl;
  process.env.PALIMPSEST_POSTGRES_URL = servers.postgresUrl;
};

const close = async () => {
  for (const name of SETTINGS) delete process.env[name];
  await servers?.stop();
  servers = undefined;
};

/** Captures writes to a stream until the returned function restores it. */
const collected = (stream) => {
  const write = stream.write;
  const parts = [];
  stream.write = (text, encoding, done = encoding) => {
    parts.push(String(text));
    if (typeof done === 'function') done();
    return true;
  };
  return () => {
    stream.write = write;
    return parts.join('');
  };
};

const run = async ({ args, env }) => {
  Object.assign(process.env, env);
  const stdout = collected(process.stdout);
  const stderr = collected(process.stderr);
  process.exitCode = undefined;
  let exitCode;
  try {
    await program().parseAsync(args, { from: 'user' });
    await flushed();
  } catch (error) {
    exitCode = reportError(error);
  }
  const result = { exitCode: exitCode ?? process.exitCode ?? 0, stdout: stdout(), stderr: stderr() };
  process.exitCode = undefined;
  for (const name of Object.keys(env)) delete process.env[name];
  return result;
};

const ORDERS = { open, close, run };

process.on('message', async ({ order, given }) => {
  try {
    process.send({ result: await ORDERS[order](given) });
  } catch (error) {
    process.send({ error: error instanceof Error ? error.message : String(error) });
  }
});
// The servers that it has started stop with it.
process.on('disconnect', () => process.exit());
