import { parseArgs } from 'node:util';
import { AppError } from '@app/kernel';
import {
  type AppConfig,
  aboutError,
  boundHeapGrowth,
  configuredKey,
  endSoon,
  logLine,
  openPalimpsest,
  type Palimpsest,
  parseConfig,
  serveOperations,
  setLogLevel,
  stopSignal,
} from '@app/platform';
import { firstKeyKeeper } from './first-key.js';
import { greeting } from './greeting.js';
import { type HttpBounds, startApi } from './start-api.js';

boundHeapGrowth();

const stopAsked = stopSignal();

const USAGE = 'usage: api.js [--roles api,compactor,projector,webhooks]';

/** The settings of the environment, and the roles of the flag, which win. @throws {AppError} `invalid-configuration`. */
const configured = (): AppConfig => {
  try {
    const { values } = parseArgs({ options: { roles: { type: 'string' } } });
    return parseConfig({
      ...process.env,
      ...(values.roles !== undefined && { PALIMPSEST_ROLES: values.roles }),
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid-configuration', USAGE, { cause: error });
  }
};

/**
 * Palimpsest as a process: everything, or the roles that it is given. It takes the settings of `.env.example`, and stops
 * on SIGINT and SIGTERM.
 */
const serve = async (): Promise<string> => {
  const config = configured();
  setLogLevel(config.PALIMPSEST_LOG_LEVEL);
  const palimpsest = await openPalimpsest(config);
  try {
    const served = await serveRoles(config, palimpsest);
    try {
      logLine('info', { event: 'ready', pid: process.pid, roles: config.PALIMPSEST_ROLES, url: served?.url });
      return await Promise.race([stopAsked, palimpsest.failure]);
    } finally {
      await served?.close();
    }
  } finally {
    await palimpsest.close();
  }
};

/** The API where it is a role of this process; else its health and metrics, where a port for them is given. */
const serveRoles = async (config: AppConfig, palimpsest: Palimpsest) => {
  const { PALIMPSEST_HTTP_HOST: host, PALIMPSEST_HTTP_PORT: port } = config;
  const { PALIMPSEST_OPERATIONS_PORT: operationsPort } = config;
  if (config.PALIMPSEST_ROLES.includes('api')) {
    const keeper = firstKeyKeeper(config.PALIMPSEST_DATA, terminal());
    const { access } = await palimpsest.openAccess(await configuredKey(config), keeper);
    const keyFile = keeper.file();
    if (keyFile !== undefined) logLine('warn', { event: 'first-key-written', file: keyFile });
    const heartbeatMs = config.PALIMPSEST_STREAM_HEARTBEAT_MS;
    const gatewayProfile = config.PALIMPSEST_GATEWAY_PROFILE;
    const gatewayRecall = config.PALIMPSEST_GATEWAY_RECALL === 'on';
    const api = await startApi({
      palimpsest,
      access,
      heartbeatMs,
      gatewayProfile,
      gatewayRecall,
      bounds: boundsOf(config),
      host,
      port,
    });
    process.stdout.write(greeting(api.url, keyFile));
    return api;
  }
  return operationsPort === undefined
    ? undefined
    : serveOperations(palimpsest.operations, host, operationsPort);
};

const MIB = 1_048_576;

const boundsOf = (config: AppConfig): HttpBounds => ({
  headersMs: config.PALIMPSEST_HTTP_HEADERS_TIMEOUT_MS,
  idleMs: config.PALIMPSEST_HTTP_BODY_IDLE_TIMEOUT_MS,
  wholeMs: config.PALIMPSEST_HTTP_BODY_TIMEOUT_MS,
  keepAliveMs: config.PALIMPSEST_HTTP_KEEP_ALIVE_MS,
  stopMs: config.PALIMPSEST_HTTP_STOP_TIMEOUT_MS,
  perTenant: config.PALIMPSEST_HTTP_BODIES_PER_TENANT_MB * MIB,
  inAll: config.PALIMPSEST_HTTP_BODIES_MB * MIB,
});

/** Writes to the person who starts the service; `undefined` where stdout is no terminal. */
const terminal = (): ((text: string) => void) | undefined =>
  process.stdout.isTTY ? (text) => void process.stdout.write(text) : undefined;

try {
  logLine('info', { event: 'stopped', signal: await serve() });
} catch (error) {
  logLine('error', { event: 'failed', ...aboutError(error) });
  process.exitCode = 1;
}
endSoon();
