import { AppError } from '@app/kernel';
import {
  type AppConfig,
  aboutError,
  boundHeapGrowth,
  endSoon,
  logLine,
  type ParentProcess,
  parentProcess,
  parseConfig,
  setLogLevel,
  startWorker,
  stopSignal,
  warnOfReadableKeyFiles,
} from '@app/platform';

boundHeapGrowth();

const parent = parentProcess();

/** Returns the configuration without the role `api`. */
const configured = (): AppConfig => {
  const config = parseConfig(process.env);
  const roles = config.PALIMPSEST_ROLES.filter((role) => role !== 'api');
  if (roles.length > 0) return { ...config, PALIMPSEST_ROLES: roles };
  throw new AppError(
    'invalid-configuration',
    'the configuration is wrong: PALIMPSEST_ROLES: a worker is compactor, projector, webhooks, or several of them',
  );
};

/**
 * Runs the background work as a process: compactions, projections and webhooks. Reads the settings of `.env.example`; stops on
 * SIGINT and SIGTERM.
 */
const work = async (): Promise<string> => {
  const stopAsked = stopSignal();
  const config = configured();
  setLogLevel(config.PALIMPSEST_LOG_LEVEL);
  warnOfReadableKeyFiles(config);
  const { url, palimpsest, close } = await startWorker(config);
  try {
    logLine('info', { event: 'ready', pid: process.pid, roles: config.PALIMPSEST_ROLES, url });
    return await Promise.race([stopAsked, palimpsest.failure]);
  } finally {
    await close();
  }
};

/** Does the same for a service that has started this process, on its servers and until it asks to stop. */
const workFor = async ({ start, stopAsked, ready, leave }: ParentProcess): Promise<void> => {
  const { config, servers } = await start;
  setLogLevel(config.PALIMPSEST_LOG_LEVEL);
  const { palimpsest, close } = await startWorker(config, servers);
  try {
    ready(palimpsest.operations.metrics);
    logLine('info', { event: 'worker-ready', pid: process.pid, roles: config.PALIMPSEST_ROLES });
    await Promise.race([stopAsked, palimpsest.failure]);
  } finally {
    await close();
    leave();
  }
};

try {
  if (parent) await workFor(parent);
  else logLine('info', { event: 'stopped', signal: await work() });
} catch (error) {
  logLine('error', { event: 'failed', ...aboutError(error) });
  process.exitCode = 1;
}
endSoon();
