import type { Argument, Command, Option } from 'commander';
import { type CommandNotes, notesOf } from '../../../apps/cli/src/command-notes.js';

/** An executable command with its full name; groups such as `keys` contain others. */
export type NamedCommand = { readonly name: string; readonly command: Command };

/** Returns all executable commands below `parent`. */
export const commandsUnder = (parent: Command, prefix = ''): readonly NamedCommand[] =>
  parent.commands.flatMap((command) => {
    const name = `${prefix}${command.name()}`;
    return command.commands.length > 0 ? commandsUnder(command, `${name} `) : [{ name, command }];
  });

/** Returns the generated part of the command-line page: every option and command of `program`, as Markdown. */
export const commandReference = (program: Command): string => {
  const groups = new Map<string, string[]>();
  for (const command of program.commands) {
    const heading = command.helpGroup().replace(/:$/, '');
    const leaves =
      command.commands.length > 0
        ? commandsUnder(command, `${command.name()} `)
        : [{ name: command.name(), command }];
    groups.set(heading, [...(groups.get(heading) ?? []), ...leaves.map(sectionOf)]);
  }
  const parts = [...groups].map(([heading, sections]) => [`## ${heading}`, ...sections].join('\n\n'));
  const global = ['## Global options', '', ...optionItems(program), '- `--help`: print this help'].join('\n');
  return `${[global, ...parts].join('\n\n')}\n`;
};

const sectionOf = ({ name, command }: NamedCommand): string => {
  const words = command.registeredArguments.map(written);
  const { details, json, examples, guide }: CommandNotes = notesOf(command) ?? {};
  const items = [...argumentItems(command), ...optionItems(command)];
  return [
    `### \`${[name, ...words].join(' ')}\``,
    [`${sentence(command.description())}`, ...(details === undefined ? [] : [markdown(details)])].join(' '),
    ...(items.length > 0 ? [items.join('\n')] : []),
    ...(json === undefined ? [] : [`JSON: ${markdown(json)}.`]),
    ...(examples ? [['```sh', ...examples, '```'].join('\n')] : []),
    ...(guide === undefined ? [] : [`Guide: [${guide.replace(/\.md.*/, '')}](guides/${guide})`]),
  ].join('\n\n');
};

const written = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

const argumentItems = (command: Command): readonly string[] =>
  command
    .createHelp()
    .visibleArguments(command)
    .map((argument) => item(written(argument), command.createHelp().argumentDescription(argument)));

const optionItems = (command: Command): readonly string[] =>
  command.options
    .filter(({ hidden }) => !hidden)
    .map((option: Option) => item(option.flags, command.createHelp().optionDescription(option)));

const item = (name: string, description: string): string => `- \`${name}\`: ${markdown(description)}`;

const sentence = (text: string): string => `${markdown(text)}.`;

/** Formats names of settings as code, since their underscores would become emphasis. */
const markdown = (text: string): string =>
  text.replace(/(^|[^`\w])(-{2}[a-z-]+|[A-Z]+(?:_[A-Z]+)+)\b(?!`)/g, '$1`$2`');
