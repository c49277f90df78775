import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { program } from '../../apps/cli/src/program.js';
import { inlineCodes, sectionsOf } from './support/markdown.js';
import { textOf } from './support/project.js';

const PAGE = textOf('docs/cli.md');
const OF_ALL = 'Options of every command';

type Documented = { readonly name: string; readonly command: Command };

/** The commands that do something, named as they are typed: groups such as `projections` only hold others. */
const commandsUnder = (parent: Command, prefix = ''): readonly Documented[] =>
  parent.commands.flatMap((command) => {
    const name = [prefix, command.name(), ...command.registeredArguments.map(written)].join(' ').trim();
    return command.commands.length > 0 ? commandsUnder(command, name) : [{ name, command }];
  });

const written = (argument: Command['registeredArguments'][number]): string => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

const flagsOf = (command: Command): readonly string[] =>
  command.options.map(({ flags }) => flags).filter((flags) => flags !== '--version');

/** The options that a section has a row for: the first cell of each row of its tables. */
const documentedFlags = (body: string): readonly string[] =>
  [...body.matchAll(/^\| (`--[^|]*?) +\|/gm)].flatMap(([, cell = '']) => inlineCodes(cell));

const sections = new Map(sectionsOf(PAGE, 3).map(({ heading, body }) => [heading, body]));
const commands = commandsUnder(program());

it('has a section for every command, and none for anything else', () => {
  expect([...sections.keys()].sort()).toEqual(commands.map(({ name }) => `\`${name}\``).sort());
});

describe.each(commands)('the section of $name', ({ name, command }) => {
  it('has a row for every option', () => {
    expect([...documentedFlags(sections.get(`\`${name}\``) ?? '')].sort()).toEqual(
      [...flagsOf(command)].sort(),
    );
  });
});

it('has a row for every option that all commands take', () => {
  const body = sectionsOf(PAGE, 2).find(({ heading }) => heading === OF_ALL)?.body ?? '';
  expect([...documentedFlags(body)].sort()).toEqual([...flagsOf(program()), '--help', '--version'].sort());
});
