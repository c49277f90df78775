import { aboutError, configuredKey, logLine, openPalimpsest, parseConfig } from '@app/platform';
import { startApi } from './start-api.js';

/** Resolves with the signal that asks the process to stop; one that comes while it starts is not lost. */
const stopAsked = new Promise<string>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(signal));
});

/** The API as a process; it takes the settings of `.env.example`, and stops on SIGINT and SIGTERM. */
const serve = async (): Promise<string> => {
  const config = parseConfig(process.env);
  const palimpsest = await openPalimpsest(config);
  try {
    const { PALIMPSEST_HTTP_HOST: host, PALIMPSEST_HTTP_PORT: port } = config;
    const heartbeatMs = config.PALIMPSEST_STREAM_HEARTBEAT_MS;
    const { access, firstKey } = await palimpsest.openAccess(await configuredKey(config));
    if (firstKey !== undefined) showFirstKey(firstKey);
    const api = await startApi({ palimpsest, access, heartbeatMs, host, port });
    try {
      logLine('info', { event: 'ready', pid: process.pid, url: api.url });
      return await Promise.race([stopAsked, palimpsest.failure]);
    } finally {
      await api.close();
    }
  } finally {
    await palimpsest.close();
  }
};

/** On stdout, where no log is: it is shown once, and to whoever starts the service for the first time. */
const showFirstKey = (key: string): void =>
  void process.stdout.write(
    `The first API key, of an admin of the tenant "default". It is not shown again:\n${key}\n`,
  );

try {
  logLine('info', { event: 'stopped', signal: await serve() });
} catch (error) {
  logLine('error', { event: 'failed', ...aboutError(error) });
  process.exitCode = 1;
}
