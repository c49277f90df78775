import { createHash, timingSafeEqual } from 'node:crypto';
import { Actor, TenantId } from '@app/kernel';
import { aboutError, logLine, openPalimpsest, parseConfig } from '@app/platform';
import type { Access } from '@app/ports';
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
    const access = oneKey(process.env.PALIMPSEST_API_KEY);
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

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
const oneKey = (known = ''): Access => ({
  authenticate: async (key) =>
    known !== '' && timingSafeEqual(digestOf(key), digestOf(known))
      ? { tenant: TenantId('default'), actor: Actor('key:bootstrap'), role: 'admin' }
      : undefined,
});

try {
  logLine('info', { event: 'stopped', signal: await serve() });
} catch (error) {
  logLine('error', { event: 'failed', ...aboutError(error) });
  process.exitCode = 1;
}
