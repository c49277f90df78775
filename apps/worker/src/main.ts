import { AppError } from '@app/kernel';
import {
  type AppConfig,
  aboutError,
  boundHeapGrowth,
  endSoon,
  logLine,
  openPalimpsest,
  parseConfig,
  serveOperations,
  setLogLevel,
  stopSignal,
} from '@app/platform';

boundHeapGrowth();

const stopAsked = stopSignal();

/** Everything but the API where nothing is said; of what is said, everything but the API. */
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
 * The work that goes on beside requests, as a process of its own: compacting what is requested, projecting the
 * log, and sending to webhooks. It takes the settings of `.env.example`, stops on SIGINT and SIGTERM, and with 1 where what it needs has ended.
 */
const work = async (): Promise<string> => {
  const config = configured();
  setLogLevel(config.PALIMPSEST_LOG_LEVEL);
  const palimpsest = await openPalimpsest(config);
  try {
    const { PALIMPSEST_HTTP_HOST: host, PALIMPSEST_OPERATIONS_PORT: port } = config;
    const served = port === undefined ? undefined : await serveOperations(palimpsest.operations, host, port);
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

try {
  logLine('info', { event: 'stopped', signal: await work() });
} catch (error) {
  logLine('error', { event: 'failed', ...aboutError(error) });
  process.exitCode = 1;
}
endSoon();
