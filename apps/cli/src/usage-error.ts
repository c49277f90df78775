import { nearestOf } from '@app/kernel';
import type { Command } from 'commander';
import { visibleLine } from './output/visible.js';

/** Maximum length of a word quoted in an error. */
const QUOTED_MAX = 100;

/** Returns the line about wrong usage of `command`: the error, the nearest valid word, and the command that prints the help. */
export const usageError = (text: string, command: Command): string => {
  const problem = text
    .trim()
    .replace(/^error: /, '')
    .replace(new RegExp(`'([^']{${QUOTED_MAX}})[^']+'`, 'g'), "'$1…'")
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');
  return visibleLine(
    unknownCommand(problem, command) ?? invalidValue(problem) ?? otherUsage(problem, command),
  );
};

/** Recognizes an unknown subcommand: commander passes it to the default subcommand as an extra argument. */
const unknownCommand = (problem: string, command: Command): string | undefined => {
  const [first, second] = command.args;
  const [family, word] = /^unknown command/.test(problem)
    ? [command, first === 'help' ? second : first]
    : [command.parent, /^too many arguments/.test(problem) ? command.parent?.args[0] : undefined];
  if (!family || word === undefined) return undefined;
  const names = family.commands.flatMap((one) => [one.name(), ...one.aliases()]);
  if (names.includes(word)) return undefined;
  const isName = family !== command && names.includes('show') && nearestOf(word, names) === undefined;
  const shown = word.length > QUOTED_MAX ? `${word.slice(0, QUOTED_MAX)}…` : word;
  const problemOf = `unknown command '${shown}'${isName ? ` (did you mean "show ${shown}"?)` : suggestion(word, names)}`;
  return `${problemOf}: \`${pathOf(family)} --help\` lists the commands [unknown-command]`;
};

const invalidValue = (problem: string): string | undefined => {
  const [, option, value = '', rule = ''] =
    /^(option '.+?') argument '(.*?)' is invalid\. (.*)$/.exec(problem) ?? [];
  if (option !== undefined) return `${option} does not take '${value}': ${choicesIn(rule, value)}`;
  const [, given, argument, reason = ''] =
    /^command-argument value '(.*?)' is invalid for argument '(.+?)'\. (.*)$/.exec(problem) ?? [];
  return argument === undefined ? undefined : `argument <${argument}> does not take '${given}': ${reason}`;
};

const choicesIn = (rule: string, value: string): string => {
  const [, choices] = /^Allowed choices are (.*)$/.exec(rule) ?? [];
  return choices === undefined ? rule : `give one of ${choices}${suggestion(value, choices.split(', '))}`;
};

const otherUsage = (problem: string, command: Command): string =>
  `${problem.replace(/\(Did you mean (.*)\?\)/, '(did you mean "$1"?)')}: \`${pathOf(command)} --help\` shows the usage`;

const suggestion = (word: string, known: readonly string[]): string => {
  const nearest = nearestOf(word, known);
  return nearest === undefined ? '' : ` (did you mean "${nearest}"?)`;
};

/** Returns the words that call a command, such as `palimpsest keys add`. */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
