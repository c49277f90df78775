import { AppError } from '@app/kernel';
import {
  type AppConfig,
  aboutError,
  boundHeapGrowth,
  endSoon,
  logLine,
  parseConfig,
  setLogLevel,
  startWorker,
  stopSignal,
} from '@app/platform';

boundHeapGrowth();

const stopAsked = stopSignal();

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
  const config = configured();
  setLogLevel(config.PALIMPSEST_LOG_LEVEL);
  const { url, palimpsest, close } = await startWorker(config);
  try {
    logLine('info', { event: 'ready', pid: process.pid, roles: config.PALIMPSEST_ROLES, url });
    return await Promise.race([stopAsked, palimpsest.failure]);
  } finally {
    await close();
  }
};

try {
  logLine('info', { event: 'stopped', signal: await work() });
} catch (error) {
  logLine('error', { event: 'failed', ...aboutError(error) });
  process.exitCode = 1;
}
endSoon();
