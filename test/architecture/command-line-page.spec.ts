import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { notesOf } from '../../apps/cli/src/command-notes.js';
import { program } from '../../apps/cli/src/program.js';
import { commandReference, commandsUnder } from './support/command-page.js';
import { filesUnder, place, textOf } from './support/project.js';

const PAGE = 'docs/cli.md';
const WORDS_MAX = 350;
const MARK =
  '<!-- Generated below this line: `UPDATE_CLI_PAGE=1 npm test -- command-line-page` writes it. -->\n\n';

/** `UPDATE_CLI_PAGE=1` regenerates the reference. */
it('is generated from the command definitions', async () => {
  const [introduction = ''] = textOf(PAGE).split(MARK);
  const page = `${introduction}${MARK}${commandReference(program())}`;
  if (process.env.UPDATE_CLI_PAGE === '1') await writeFile(place(PAGE), page);
  expect(textOf(PAGE)).toBe(page);
});

it(`has an introduction of at most ${WORDS_MAX} words`, () => {
  const [introduction = ''] = textOf(PAGE).split(MARK);
  expect(introduction.split(/\s+/).filter((word) => /\w/.test(word)).length).toBeLessThanOrEqual(WORDS_MAX);
});

describe('command line help', () => {
  const commands = commandsUnder(program());

  it('has notes on every command', () => {
    expect(commands.filter(({ command }) => !notesOf(command)).map(({ name }) => name)).toEqual([]);
  });

  it.each(commands)('of $name fits into 80 columns', ({ name, command }) => {
    const parts: string[] = [];
    command.configureOutput({ writeOut: (part) => parts.push(part), getOutHelpWidth: () => 80 });
    command.outputHelp();
    const prose = parts
      .join('')
      .split('\n')
      .filter((line) => !line.startsWith('  palimpsest '));
    expect([name, ...prose.filter((line) => line.length > 80)]).toEqual([name]);
  });

  it('has examples that the commands can parse', () => {
    const faults = commands.flatMap(({ name, command }) =>
      (notesOf(command)?.examples ?? []).filter((line) => !line.startsWith(`palimpsest ${name}`)),
    );
    expect(faults).toEqual([]);
  });
});

/** Returns the command that the first words name, by names or aliases. */
const named = (words: readonly string[], parent: Command): Command | undefined => {
  const [word = '', ...rest] = words;
  const found = parent.commands.find((command) => [command.name(), ...command.aliases()].includes(word));
  if (!found || found.commands.length === 0) return found;
  return rest.length === 0 || /^[^a-z]/.test(rest[0] ?? '') ? found : named(rest, found);
};

const pages = ['README.md', 'CONTRIBUTING.md', ...filesUnder('docs').filter((path) => path.endsWith('.md'))];

it.each(pages)('covers every command in %s', (path) => {
  const lines = [...textOf(path).matchAll(/(?:`|npx )palimpsest ([a-z][^`|\n]*)/g)].map(([, line = '']) =>
    line.trim(),
  );
  expect(lines.filter((line) => named(line.split(/\s+/), program()) === undefined)).toEqual([]);
});
