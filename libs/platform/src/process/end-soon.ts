/** Milliseconds for pending output. */
const LINGER_MS = 2_000;
/** Milliseconds from the signal to the exit, less than the usual 30 s before SIGKILL. */
const STOP_MAX_MS = 25_000;

/**
 * Call it when everything is closed: lets the process exit by itself, and exits after two seconds if a library still holds a
 * resource such as a connection. The exit code is `process.exitCode`.
 */
export const endSoon = (): void => {
  setTimeout(() => process.exit(), LINGER_MS).unref();
};

/**
 * Resolves with the first SIGINT or SIGTERM, also if it arrives during the start. The process exits 25 s later at the latest,
 * with code 1 if not everything could be closed.
 */
export const stopSignal = (): Promise<string> =>
  new Promise((resolve) => {
    const stop = (signal: string): void => {
      setTimeout(() => process.exit(1), STOP_MAX_MS).unref();
      resolve(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  });
