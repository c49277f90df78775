import { readFileSync } from 'node:fs';
import { AppError, ownMember } from '@app/kernel';

/**
 * Returns a secret from a file or the environment; other users of the machine can read command lines.
 *
 * @throws {AppError} `unreadable-file`, `invalid-configuration` if the secret is empty.
 */
export const secretFrom = (variable: string, file: string | undefined): string | undefined => {
  const [text, source] =
    file === undefined
      ? [ownMember(process.env, variable), variable]
      : [textOf(file).replace(/\r?\n$/, ''), file];
  if (text === '') throw new AppError('invalid-configuration', `the password in ${source} is empty`);
  return text;
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
    throw new AppError(
      'unreadable-file',
      `${file} cannot be read (${code}): is the name right, and may you read it?`,
      {
        cause,
      },
    );
  }
};
