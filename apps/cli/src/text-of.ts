import { readFileSync } from 'node:fs';
import { unreadableFile } from '@app/kernel';

/** Reads a text file; `0` is the standard input. @throws {AppError} `unreadable-file`. */
export const textOfFile = (file: string | 0): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const name = file === 0 ? 'the standard input' : file;
    throw unreadableFile(name, error);
  }
};

/** Returns the value of an option: the text itself, or after `@` the content of a file. */
export const textOrFile = (given: string): string =>
  given.startsWith('@') ? textOfFile(given.slice(1)) : given;
