import { shippedPrompts } from '@app/prompts';
import { Command } from 'commander';
import type { GlobalOptions } from '../options.js';
import { print, printJson } from '../output/print.js';
import { table } from '../output/table.js';

/** `palimpsest prompts`: what models are told to summarize by. It is data of this edition, so that no server is started. */
export const promptsCommand = (): Command =>
  new Command('prompts')
    .description('list the prompts that models are told to summarize by')
    .option('--text', 'with the text of each')
    .action((_, command: Command) => {
      const { json, text } = command.optsWithGlobals<GlobalOptions & { readonly text?: boolean }>();
      const { version, prompts } = shippedPrompts();
      if (json) {
        const shown = text ? prompts : prompts.map(({ text: _text, ...named }) => named);
        return printJson({ version, prompts: shown });
      }
      if (text) return print(prompts.map((one) => `== ${one.name} ${one.version}\n${one.text}`).join('\n'));
      const rows = prompts.map((one) => [one.name, one.version, String(one.text.length)]);
      print(`${table(['prompt', 'version', 'characters'], rows)}\n\nall together: ${version}`);
    });
