import { stat } from 'node:fs/promises';
import { AppError } from '@app/kernel';
import { glob } from 'tinyglobby';

/**
 * Returns the files that a path names: the file, all visible files below a folder, or the matches of a pattern such as
 * `logs/*.jsonl`. Files of a folder are sorted by path, so that a session precedes the sub-agents in its folder.
 *
 * @throws {AppError} `unreadable-file` if there are none.
 */
export const findFiles = async (named: string): Promise<readonly string[]> => {
  const found = await stat(named).catch(() => undefined);
  if (found?.isDirectory()) return some(named, await glob('**', { cwd: named, absolute: true }));
  if (found || !/[*?[\]{}()!]/.test(named)) return [named];
  return some(named, await glob(named, { absolute: isAbsolute(named) }));
};

const isAbsolute = (pattern: string): boolean => /^(?:[/\\]|[A-Za-z]:)/.test(pattern);

const some = (named: string, files: readonly string[]): readonly string[] => {
  if (files.length > 0) return [...files].sort();
  throw new AppError('unreadable-file', `${named} has no files: is the name right?`);
};
