import { readFile } from 'node:fs/promises';
import type { Contribution } from '@app/domain';
import { AppError } from '@app/kernel';
import { InvalidArgumentError } from 'commander';

/** Parsed `--context name=TEXT` or `--context name=@FILE`. */
export type ContextOption = { readonly name: string; readonly value: string };

export const contextOption = (
  text: string,
  before: readonly ContextOption[] = [],
): readonly ContextOption[] => {
  const at = text.indexOf('=');
  if (at < 1)
    throw new InvalidArgumentError('give a name and a text, such as todo="call back", or name=@FILE');
  return [...before, { name: text.slice(0, at), value: text.slice(at + 1) }];
};

/** @throws {AppError} `unreadable-file`. */
export const contributionFrom = async ({ name, value }: ContextOption): Promise<Contribution> => {
  if (!value.startsWith('@')) return { name, text: value };
  const path = value.slice(1);
  try {
    return { name, text: await readFile(path, 'utf8') };
  } catch (cause) {
    throw new AppError('unreadable-file', `"${path}" cannot be read: name a file that there is`, { cause });
  }
};
