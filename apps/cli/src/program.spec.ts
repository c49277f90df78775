import type { Command } from 'commander';
import { program } from './program.js';

const withAllBelow = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap(withAllBelow),
];

/** Guarantee: however deep a command stands, it speaks as the others do. */
describe('the program', () => {
  it.each(withAllBelow(program()))('offers help on $_name in the same words as everywhere', (command) => {
    expect(command.helpInformation()).toMatch(/^ {2}--help {2,}print this help$/m);
  });

  it.each([
    ['usag', 'usage', 'palimpsest --help'],
    ['keys help ad', 'add', 'palimpsest keys --help'],
    ['help usag', 'usage', 'palimpsest --help'],
  ])('suggests a command for `%s`', async (words, nearest, help) => {
    const output: string[] = [];
    const root = program();
    for (const command of withAllBelow(root))
      command.configureOutput({
        writeErr: (text) => output.push(text),
        writeOut: (text) => output.push(text),
      });
    await expect(root.parseAsync(words.split(' '), { from: 'user' })).rejects.toThrow();
    expect(output.join('')).toContain(`(did you mean "${nearest}"?): \`${help}\` lists the commands`);
  });

  it.each([['sessions'], ['projections', 'list']])('names the error of %s in one line', async (...words) => {
    const output: string[] = [];
    const root = program();
    for (const command of withAllBelow(root))
      command.configureOutput({ writeErr: (text) => output.push(text) });
    await expect(root.parseAsync([...words, '--nope'], { from: 'user' })).rejects.toThrow();
    expect(output.join('')).toMatch(/^palimpsest: unknown option '--nope'[^\n]*\n$/);
  });
});
