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

  it.each([['sessions'], ['projections', 'list']])(
    'says on one line what is wrong with %s',
    async (...words) => {
      const output: string[] = [];
      const root = program();
      for (const command of withAllBelow(root))
        command.configureOutput({ writeErr: (text) => output.push(text) });
      await expect(root.parseAsync([...words, '--nope'], { from: 'user' })).rejects.toThrow();
      expect(output.join('')).toMatch(/^palimpsest: unknown option '--nope'[^\n]*\n$/);
    },
  );
});
