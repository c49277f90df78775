import { AppError, ownMember } from '@app/kernel';
import { textOfFile } from '../text-of.js';

/**
 * Returns a secret from a file or the environment; other users of the machine can read command lines.
 *
 * @throws {AppError} `unreadable-file`, `invalid-configuration` if the secret is empty.
 */
export const secretFrom = (variable: string, file: string | undefined): string | undefined => {
  const [text, source] =
    file === undefined
      ? [ownMember(process.env, variable), variable]
      : [textOfFile(file).replace(/\r?\n$/, ''), file];
  if (text === '') throw new AppError('invalid-configuration', `the password in ${source} is empty`);
  return text;
};
