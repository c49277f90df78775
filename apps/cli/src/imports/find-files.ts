import { stat } from 'node:fs/promises';
import { AppError } from '@app/kernel';
import { glob } from 'tinyglobby';

/**
 * The files that were named: a file itself, all files in a folder and below it but hidden ones, and all that a pattern
 * such as `logs/*.jsonl` matches. Those of a folder come in the order of their paths, so that a session comes before
 * the sub-agents in its folder.
 *
 * @throws {AppError} `unreadable-file` where nothing is found.
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
