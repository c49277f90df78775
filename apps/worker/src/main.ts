import { aboutError, logLine, openPalimpsest, parseConfig } from '@app/platform';

/** Resolves with the signal that asks the process to stop; one that comes while it starts is not lost. */
const stopAsked = new Promise<string>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(signal));
});

/**
 * The work that goes on beside requests, as a process of its own: compacting what is requested, and projecting the
 * log. It takes the settings of `.env.example`, stops on SIGINT and SIGTERM, and with 1 where what it needs has ended.
 */
const work = async (): Promise<string> => {
  const palimpsest = await openPalimpsest(parseConfig(process.env));
  try {
    logLine('info', { event: 'ready', pid: process.pid });
    return await Promise.race([stopAsked, palimpsest.failure]);
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
