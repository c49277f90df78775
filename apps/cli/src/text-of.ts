import { readFileSync } from 'node:fs';
import { AppError } from '@app/kernel';

/** @throws {AppError} `unreadable-file`. `0` is the standard input. */
export const textOfFile = (file: string | 0): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const name = file === 0 ? 'the standard input' : file;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new AppError('unreadable-file', `${name} cannot be read (${code}): is the name right?`, {
      cause: error,
    });
  }
};

/** What an option says: the text itself, or with a leading `@` what the file holds. */
export const textOrFile = (given: string): string =>
  given.startsWith('@') ? textOfFile(given.slice(1)) : given;
