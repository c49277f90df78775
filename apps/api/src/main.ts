import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '@app/kernel';
import {
  type AppConfig,
  aboutError,
  boundHeapGrowth,
  endSoon,
  logLine,
  parseConfig,
  type Running,
  setLogLevel,
  startWorker,
  stopSignal,
  warnOfReadableKeyFiles,
} from '@app/platform';
import { firstKeyKeeper } from './first-key.js';
import { startApi } from './start-api.js';

boundHeapGrowth();

const stopAsked = stopSignal();

const USAGE = 'usage: api.js [--roles api,compactor,projector,webhooks] [--open SESSION]';

const optionsIn = () =>
  parseArgs({ options: { roles: { type: 'string' }, open: { type: 'string' } } }).values;

/** Returns the settings of the environment; the flag `--roles` overrides them. @throws {AppError} `invalid-configuration`. */
const configured = (): AppConfig => {
  try {
    const values = optionsIn();
    return parseConfig({
      ...process.env,
      ...(values.roles !== undefined && { PALIMPSEST_ROLES: values.roles }),
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid-configuration', USAGE, { cause: error });
  }
};

/** Runs the roles of the configuration until SIGINT or SIGTERM, and returns the signal. */
const serve = async (): Promise<string> => {
  const config = configured();
  setLogLevel(config.PALIMPSEST_LOG_LEVEL);
  warnOfReadableKeyFiles(config);
  const isApi = config.PALIMPSEST_ROLES.includes('api');
  const { url, palimpsest, close } = await (isApi ? serveApi(config) : startWorker(config));
  try {
    logLine('info', { event: 'ready', pid: process.pid, roles: config.PALIMPSEST_ROLES, url });
    return await Promise.race([stopAsked, palimpsest.failure]);
  } finally {
    await close();
  }
};

const serveApi = async (config: AppConfig): Promise<Running> => {
  const keeper = firstKeyKeeper(config.PALIMPSEST_DATA, terminal());
  const api = await startApi(config, keeper);
  const keyFile = keeper.file();
  if (keyFile !== undefined) logLine('warn', { event: 'first-key-written', file: keyFile });
  const { open } = optionsIn();
  const mayPrintLink = process.stdout.isTTY || isLoopback(config.PALIMPSEST_HTTP_HOST);
  const signInLink = mayPrintLink ? api.signInLink(open) : undefined;
  process.stdout.write(
    open === undefined || signInLink === undefined
      ? greeting(api.url, { keyFile, signInLink })
      : `\nThe session in the console, until Ctrl-C; the link signs in once, within 15 minutes:\n${signInLink}\n`,
  );
  const withdraw = await announce(config.PALIMPSEST_DATA, api.url);
  return { ...api, close: () => withdraw().then(() => api.close()) };
};

/** Output that is no terminal ends up in logs; those of a service on loopback are read on this machine. */
const isLoopback = (host: string): boolean => /^(127\.|::1$|localhost$)/.test(host);

/** Returns a function that writes to the terminal; `undefined` if stdout is not one. */
const terminal = (): ((text: string) => void) | undefined =>
  process.stdout.isTTY ? (text) => void process.stdout.write(text) : undefined;

type Shown = {
  /** Path of the first key, if this start has written one. */
  readonly keyFile: string | undefined;
  /** Link that signs a browser in once; `undefined` where others may read the output. */
  readonly signInLink: string | undefined;
};

/** Returns the text that the service prints to stdout when it is ready: its URLs and a first request. Logs go to stderr. */
const greeting = (url: string, { keyFile, signInLink }: Shown): string => {
  const shown = keyFile === undefined ? '$PALIMPSEST_API_KEY' : `$(cat '${keyFile}')`;
  return [
    `Palimpsest is ready at ${url}`,
    signInLink === undefined
      ? `  console  ${url}/console`
      : `  console  ${signInLink}\n           signs in once, within 15 minutes`,
    `  docs     ${url}/docs`,
    `  health   ${url}/health`,
    '  first call:',
    `    curl -X POST ${url}/v1/sessions -H "Authorization: Bearer ${shown}" \\`,
    `      -H 'Content-Type: application/json' -d '{"session":"first"}'`,
    '',
  ].join('\n');
};

/** File in the data folder with the address of its running service, by which `palimpsest run` and `doctor` find it. */
const FILE = 'service.json';

/**
 * Writes the address of the service into its data folder, which embedded servers have created and locked. Returns a function
 * that removes the file. Without embedded servers there is no folder, and a failed write is ignored: nothing depends on it.
 */
const announce = async (folder: string, url: string): Promise<() => Promise<void>> => {
  const file = join(folder, FILE);
  const record = JSON.stringify({ url, pid: process.pid });
  await writeFile(`${file}.new`, `${record}\n`)
    .then(() => rename(`${file}.new`, file))
    .catch(() => undefined);
  return () => rm(file, { force: true }).catch(() => undefined);
};

try {
  logLine('info', { event: 'stopped', signal: await serve() });
} catch (error) {
  logLine('error', { event: 'failed', ...aboutError(error) });
  process.exitCode = 1;
}
endSoon();
