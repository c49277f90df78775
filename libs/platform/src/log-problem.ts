import { AppError, InvariantViolation } from '@app/kernel';
import { LOG_LEVELS, type LogLevel } from './process-settings.js';

let leastLevel: LogLevel = 'info';

/** Lines below this level are not written, by anything in this process. */
export const setLogLevel = (level: LogLevel): void => {
  leastLevel = level;
};

/** One line of JSON on stderr. Of a problem: class, code and place, never content. */
export const logLine = (level: LogLevel, line: Readonly<Record<string, unknown>>): void => {
  if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(leastLevel)) return;
  process.stderr.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...line })}\n`);
};

/** Logs a problem that was survived. */
export const logProblem =
  (place: string) =>
  (error: unknown): void =>
    logLine('warn', { place, ...aboutError(error) });

/** What may be said of an error: messages of other classes than ours may quote what somebody wrote. */
export const aboutError = (error: unknown): Readonly<Record<string, string>> => {
  if (error instanceof AppError) return { code: error.code, message: error.message };
  const name = error instanceof Error ? error.name : typeof error;
  return error instanceof InvariantViolation ? { error: name, message: error.message } : { error: name };
};
