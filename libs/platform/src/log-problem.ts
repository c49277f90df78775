import { AppError, InvariantViolation } from '@app/kernel';
import { LOG_LEVELS, type LogLevel } from './process-settings.js';

let leastLevel: LogLevel = 'info';

/** Sets the minimum level of log lines of this process. */
export const setLogLevel = (level: LogLevel): void => {
  leastLevel = level;
};

/** Writes one line of JSON to stderr. Problems are logged by class, code and place, never with content. */
export const logLine = (level: LogLevel, line: Readonly<Record<string, unknown>>): void => {
  if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(leastLevel)) return;
  process.stderr.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...line })}\n`);
};

/** Returns a function that logs an error that the process survives. */
export const logProblem =
  (place: string) =>
  (error: unknown): void =>
    logLine('warn', { place, ...aboutError(error) });

/** Returns the loggable facts of an error. Messages of foreign classes are left out, since they may quote content. */
export const aboutError = (error: unknown): Readonly<Record<string, string>> => {
  if (error instanceof AppError) return { code: error.code, message: error.message };
  const name = error instanceof Error ? error.name : typeof error;
  return error instanceof InvariantViolation ? { error: name, message: error.message } : { error: name };
};
