import type { logLine } from '@app/platform';
import { note } from '../output/print.js';
import { reportError } from '../output/report-error.js';

/**
 * Writes console output of libraries to stderr, one line each, and ends the process with one line on an uncaught
 * error: acknowledged events are on disk. For commands that run until they are stopped.
 *
 * @param log writes the lines as JSON; without it they are text.
 */
export const redirectConsole = (log: typeof logLine | undefined): void => {
  const report = (...values: unknown[]): void => {
    const message = values
      .map((part) => (part instanceof Error ? part.message : String(part)))
      .join(' ')
      .replaceAll(/\s+/g, ' ');
    if (log) log('warn', { event: 'complaint', message });
    else note(`event store: ${message}`);
  };
  Object.assign(globalThis.console, { log: report, info: report, warn: report, error: report });
  process.once('uncaughtException', (error) => process.exit(reportError(error)));
};
