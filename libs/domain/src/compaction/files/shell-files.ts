import { type SimpleCommand, simpleCommandsOf } from './shell-line.js';

/** Files that a shell line reads and writes, in the order in which it names them. */
export type ShellFiles = { readonly read: readonly string[]; readonly modified: readonly string[] };

const PRINTS = new Set(['cat', 'head', 'tail', 'nl', 'less', 'more', 'bat']);
const WRITES = new Set(['tee', 'touch']);
const COPIES = new Set(['cp', 'mv']);
/** They run what stands behind them. */
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
/** A name as it is: nothing that a shell would make something else of, no stream and no address. */
const NAME = /^(?![-&])[^\s\\$*?`(){}[\]<>|;"']{1,1000}$/;
const HAS_FOLDER_OR_ENDING = /\/|\.\w{1,10}$/;
const NO_FILE = /^\/dev\/|:\/\/|^\.{0,2}\/?$/;

/**
 * What can be told from the line alone: output that goes to a file, files that are printed, copied, or edited in place. The
 * rest of what a program does with files, nobody can see.
 */
export const shellFilesOf = (line: string): ShellFiles => {
  const read: string[] = [];
  const modified: string[] = [];
  for (const command of simpleCommandsOf(line)) {
    const files = filesOf(command);
    read.push(...files.read.filter(isFile));
    modified.push(...files.modified.filter(isFile), ...command.writesTo.filter(isNamed));
  }
  return { read, modified };
};

const NONE: ShellFiles = { read: [], modified: [] };

const filesOf = ({ words }: SimpleCommand): ShellFiles => {
  const start = words.findIndex((word) => !RUNS_ANOTHER.has(word) && !ASSIGNMENT.test(word));
  const [program = '', ...rest] = start < 0 ? [] : words.slice(start);
  const name = program.slice(program.lastIndexOf('/') + 1);
  const named = rest.filter((word) => word !== '' && !word.startsWith('-'));
  if (PRINTS.has(name)) return { read: named, modified: [] };
  if (WRITES.has(name)) return { read: [], modified: named };
  if (COPIES.has(name)) return { read: [], modified: named.slice(1).slice(-1) };
  if (name !== 'sed' && name !== 'perl') return NONE;
  // The first of them is the program, unless a flag has it.
  const flags = rest.filter((word) => word.startsWith('-'));
  const edited = flags.some((flag) => /^-[a-z]*e$|^--expression/.test(flag))
    ? withoutPrograms(rest)
    : named.slice(1);
  if (flags.some((flag) => /^-[a-zA-Z]*i|^--in-place/.test(flag))) return { read: [], modified: edited };
  return name === 'sed' ? { read: edited, modified: [] } : NONE;
};

const withoutPrograms = (words: readonly string[]): readonly string[] =>
  words.filter((word, at) => word !== '' && !word.startsWith('-') && !/^-[a-z]*e$/.test(words[at - 1] ?? ''));

const isNamed = (word: string): boolean => NAME.test(word) && !NO_FILE.test(word);
const isFile = (word: string): boolean => isNamed(word) && HAS_FOLDER_OR_ENDING.test(word);
