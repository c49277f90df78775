/** What is written, or answered, within this time still goes out. */
const LINGER_MS = 2_000;
/** From the signal to the end: less than orchestrators wait before SIGKILL, 30 s where nothing is configured. */
const STOP_MAX_MS = 25_000;

/**
 * To be called when everything has been closed: lets the process end by itself, and ends it after two seconds where a
 * library still holds something open, such as a connection. Exit code: `process.exitCode`.
 */
export const endSoon = (): void => {
  setTimeout(() => process.exit(), LINGER_MS).unref();
};

/**
 * Resolves with the first SIGINT or SIGTERM; one that comes while the process starts is not lost. From then on the process
 * has 25 s: whatever clients, servers and receivers do, it ends then, with 1 where it could not close everything.
 */
export const stopSignal = (): Promise<string> =>
  new Promise((resolve) => {
    const stop = (signal: string): void => {
      setTimeout(() => process.exit(1), STOP_MAX_MS).unref();
      resolve(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  });
