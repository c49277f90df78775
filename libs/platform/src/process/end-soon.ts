/** What is written, or answered, within this time still goes out. */
const LINGER_MS = 2_000;

/**
 * To be called when everything has been closed: lets the process end by itself, and ends it after two seconds where a
 * library still holds something open, such as a connection. Exit code: `process.exitCode`.
 */
export const endSoon = (): void => {
  setTimeout(() => process.exit(), LINGER_MS).unref();
};
