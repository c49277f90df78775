import type { logLine } from '@app/platform';
import { note } from '../output/print.js';
import { reportError } from '../output/report-error.js';

/**
 * Keeps what libraries print to the console to one line on stderr each, and ends the process in one line where an
 * error was caught by nobody: what was acknowledged is on disk. For a command that runs until it is stopped.
 *
 * @param log writes the lines as JSON; without it they are text.
 */
export const tameComplaints = (log: typeof logLine | undefined): void => {
  const complain = (...what: unknown[]): void => {
    const message = what
      .map((part) => (part instanceof Error ? part.message : String(part)))
      .join(' ')
      .replaceAll(/\s+/g, ' ');
    if (log) log('warn', { event: 'complaint', message });
    else note(`event store: ${message}`);
  };
  Object.assign(globalThis.console, { log: complain, info: complain, warn: complain, error: complain });
  process.once('uncaughtException', (error) => process.exit(reportError(error)));
};
