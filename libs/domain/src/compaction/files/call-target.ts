import type { Json, JsonObject } from '@app/kernel';

const PATH_MAX = 1_000;
/** One word beside a path is the verb of a tool with several (`view`, `create`). */
export const VERB = /^\w+$/;

/** The shell line that a call has run: a string, or the words of one, or the line that these give a shell. */
export const commandIn = (input: JsonObject): string | undefined => {
  const value = input.command ?? input.cmd;
  if (value === undefined) return undefined;
  const line = textIn(Array.isArray(value) ? lineOf(value) : value);
  return line !== undefined && VERB.test(line) && pathIn(input) !== undefined ? undefined : line;
};

/** The words of a command; of a shell that is given a line, the line. */
const lineOf = (words: readonly Json[]): string => {
  const texts = words.filter((word) => typeof word === 'string');
  const [shell = '', flag = '', line] = texts;
  return line !== undefined && /(?:^|\/)\w{0,4}sh$/.test(shell) && /^-\w{0,4}c$/.test(flag)
    ? line
    : texts.join(' ');
};

/** The first of the members that name a path, as tools call them. */
export const pathIn = (input: JsonObject): string | undefined => {
  const path =
    textIn(input.file_path) ??
    textIn(input.filePath) ??
    textIn(input.path) ??
    textIn(input.notebook_path) ??
    textIn(input.target_file) ??
    textIn(input.filename) ??
    textIn(input.file);
  return path !== undefined && path.length <= PATH_MAX && !path.includes('\n') ? path : undefined;
};

const textIn = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;
