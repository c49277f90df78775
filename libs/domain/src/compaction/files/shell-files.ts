import type { Json, JsonObject } from '@app/kernel';
import type { RenamedFile } from '../../session/events.js';
import { type SimpleCommand, simpleCommandsOf } from './shell-line.js';

/** Files that a shell line reads, writes, deletes and renames, in the order in which it names them. */
type ShellFiles = {
  readonly read: readonly string[];
  readonly modified: readonly string[];
  readonly deleted: readonly string[];
  readonly renamed: readonly RenamedFile[];
};

const PRINTS = new Set(['cat', 'head', 'tail', 'nl', 'less', 'more', 'bat']);
const WRITES = new Set(['tee', 'touch']);
const DELETES = new Set(['rm', 'unlink', 'git rm']);
const RENAMES = new Set(['mv', 'git mv']);
/** Commands that run the rest of their line as a command. */
const RUNS_ANOTHER = new Set([
  'sudo',
  'env',
  'time',
  'command',
  'exec',
  'then',
  'do',
  'else',
  'if',
  '!',
  '{',
]);
const ASSIGNMENT = /^\w+=/;
/** A literal file name: no expansion, stream or URL. */
const NAME = /^(?![-&])[^\s\\$*?`(){}[\]<>|;"']{1,1000}$/;
const HAS_FOLDER_OR_ENDING = /\/|\.\w{1,10}$/;
const NO_FILE = /^\/dev\/|:\/\/|^\.{0,2}\/?$/;

/**
 * Returns the files that are visible in the line itself: redirected output, printed, copied, renamed, deleted or
 * edited files. Files that a program opens by itself are not included.
 */
export const shellFilesOf = (line: string): ShellFiles => {
  const read: string[] = [];
  const modified = new Set<string>();
  const deleted = new Set<string>();
  const renamed = new Map<string, RenamedFile>();
  const isThere = (path: string): void => {
    modified.add(path);
    deleted.delete(path);
    renamed.delete(path);
  };
  for (const command of simpleCommandsOf(line)) {
    const files = filesOf(command);
    read.push(...files.read.filter(isFile));
    for (const path of files.deleted.filter(isFile)) {
      modified.delete(path);
      deleted.add(path);
    }
    for (const { from, to } of files.renamed) {
      if (!isFile(from) || !isNamed(to)) continue;
      modified.delete(from);
      renamed.set(from, { from, to });
    }
    for (const path of [...files.modified.filter(isFile), ...command.writesTo.filter(isNamed)]) isThere(path);
  }
  return { read, modified: [...modified], deleted: [...deleted], renamed: [...renamed.values()] };
};

const NONE: ShellFiles = { read: [], modified: [], deleted: [], renamed: [] };

const filesOf = ({ words }: SimpleCommand): ShellFiles => {
  const start = words.findIndex((word) => !RUNS_ANOTHER.has(word) && !ASSIGNMENT.test(word));
  const [program = '', ...behind] = start < 0 ? [] : words.slice(start);
  const base = program.slice(program.lastIndexOf('/') + 1);
  // The program of a git command is its verb; options before the verb may select another folder for its paths.
  const [verb = '', ...ofVerb] = behind;
  const [name, rest] = base === 'git' ? [`git ${verb}`, ofVerb] : [base, behind];
  const named = rest.filter((word) => word !== '' && !word.startsWith('-'));
  if (PRINTS.has(name)) return { ...NONE, read: named };
  if (WRITES.has(name)) return { ...NONE, modified: named };
  if (DELETES.has(name)) return { ...NONE, deleted: named };
  if (RENAMES.has(name)) return renamedBy(named);
  if (name === 'cp') return { ...NONE, modified: named.slice(1).slice(-1) };
  if (name !== 'sed' && name !== 'perl') return NONE;
  // The first of them is the program, unless a flag has it.
  const flags = rest.filter((word) => word.startsWith('-'));
  const edited = flags.some((flag) => /^-[a-z]*e$|^--expression/.test(flag))
    ? withoutPrograms(rest)
    : named.slice(1);
  if (flags.some((flag) => /^-[a-zA-Z]*i|^--in-place/.test(flag))) return { ...NONE, modified: edited };
  return name === 'sed' ? { ...NONE, read: edited } : NONE;
};

/** Several files go into a folder, and keep their names there. */
const renamedBy = (named: readonly string[]): ShellFiles => {
  const to = named.at(-1);
  const sources = named.slice(0, -1);
  if (to === undefined || sources.length === 0) return NONE;
  const isFolder = sources.length > 1 || to.endsWith('/');
  const renamed = sources.map((from) => ({
    from,
    to: isFolder ? `${to.replace(/\/+$/, '')}/${from.slice(from.lastIndexOf('/') + 1)}` : to,
  }));
  return { ...NONE, renamed, modified: renamed.map((one) => one.to) };
};

const withoutPrograms = (words: readonly string[]): readonly string[] =>
  words.filter((word, at) => word !== '' && !word.startsWith('-') && !/^-[a-z]*e$/.test(words[at - 1] ?? ''));

const isNamed = (word: string): boolean => NAME.test(word) && !NO_FILE.test(word);
const isFile = (word: string): boolean => isNamed(word) && HAS_FOLDER_OR_ENDING.test(word);

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
