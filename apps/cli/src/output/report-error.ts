import { AppError, InvariantViolation } from '@app/kernel';
import { CommanderError } from 'commander';
import { ReaderGone } from './flushed.js';
import { visibleLine } from './visible.js';

/**
 * Prints an error in one line on stderr and returns the exit code: 1 for a rejection, unless the command has set
 * another one, 2 for wrong usage of a command without a code of its own for it, 70 for an internal error. An internal error shows its place in the code, not its message, which may quote content.
 */
export const reportError = (error: unknown): number => {
  // Commander has already printed it; its own code for wrong usage is 1.
  if (error instanceof CommanderError) return error.exitCode === 1 ? 2 : error.exitCode;
  if (error instanceof Interrupted) return 130;
  if (error instanceof ReaderGone) return 0;
  if (error instanceof AppError) {
    say(`${error.message} [${error.code}]`);
    return typeof process.exitCode === 'number' && process.exitCode !== 0 ? process.exitCode : 1;
  }
  const name = error instanceof Error ? error.name : typeof error;
  const detail = error instanceof InvariantViolation ? `: ${error.message}` : '';
  say(`a defect of Palimpsest (${name}${detail}${placeOf(error)}): please report it [internal]`);
  return 70;
};

/** The user or the system stopped the command. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

const say = (line: string): void =>
  void process.stderr.write(`palimpsest: ${visibleLine(line.replace(/\s*\n\s*/g, ' '))}\n`);

/** Returns the innermost stack frame in this project, as `file:line`. */
const placeOf = (error: unknown): string => {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const place = /(?:dist|apps|libs)\/[^\s)]+:\d+/.exec(stack)?.[0];
  return place ? ` at ${place}` : '';
};
