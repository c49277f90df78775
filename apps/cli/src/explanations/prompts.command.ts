import { ListOwnPrompts, type PromptView, RegisterPrompt, ShowOwnPrompt } from '@app/application';
import { PROMPT_PARTS, type PromptPart } from '@app/domain';
import { Actor } from '@app/kernel';
import { shippedPrompts } from '@app/prompts';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import type { GlobalOptions } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { print, printJson } from '../output/print.js';
import { table } from '../output/table.js';
import { timeText } from '../output/value-text.js';
import { withService } from '../session-run.js';
import { textOfFile } from '../text-of.js';

const NO_SERVER = 'Needs no server.';

/** Defines `palimpsest prompts …`, which manages prompts of model summarizers: built-in and of the tenant. */
export const promptsCommand = (): Command =>
  new Command('prompts')
    .description('List the prompts of model summarizers and register your own')
    .addCommand(shippedCommand(), { isDefault: true })
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(addCommand());

/** Shows the built-in prompts; they are part of the package, so no server starts. */
const shippedCommand = (): Command =>
  withNotes(new Command('shipped'), {
    details: NO_SERVER,
    json: '`version` (of all prompts) and `prompts`: array of `name`, `version`, with --text also `text`',
    guide: 'summarizers.md#prompts',
  })
    .description('List the built-in prompts (default)')
    .option('--text', 'include the texts')
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

const COLUMNS: readonly Column<PromptView>[] = [
  { name: 'prompt', of: ({ name }) => name },
  { name: 'version', of: ({ version }) => version, isNumber: true },
  { name: 'hash', of: ({ hash }) => hash.slice(0, 12) },
  { name: 'texts', of: ({ lengths }) => Object.keys(lengths).join(', '), cutTo: 12 },
  { name: 'registeredAt', of: ({ registeredAt }) => timeText(registeredAt) },
  { name: 'registeredBy', of: ({ registeredBy }) => registeredBy, cutTo: 8 },
];

const listCommand = (): Command =>
  withNotes(new Command('list'), {
    json: '`prompts`: array of `name`, `version`, `hash`, `lengths`, `registeredBy`, `registeredAt`',
    guide: 'summarizers.md#a-tenants-prompts',
  })
    .description("List all versions of the tenant's prompts")
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withService(options, async ({ queries }) => {
        const prompts = await queries.execute(new ListOwnPrompts(options.tenant));
        if (options.json) return printJson({ prompts });
        if (prompts.length === 0)
          return print('no prompts of the tenant’s own: `palimpsest prompts add NAME`');
        print(fittingTable(COLUMNS, prompts));
      });
    });

const showCommand = (): Command =>
  withNotes(new Command('show'), {
    details: 'Without a version, the newest.',
    json: 'fields of `prompts list`, and `texts`',
  })
    .description('Print a prompt of the tenant')
    .argument('<prompt>', 'its name, or NAME@VERSION')
    .action((reference: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withService(options, async ({ queries }) => {
        const found = await queries.execute(new ShowOwnPrompt(options.tenant, reference));
        if (options.json) return printJson(found);
        const parts = Object.entries(found.texts).map(([part, text]) => `== ${part}\n${text}`);
        print([`${found.name}@${found.version}, hash ${found.hash}`, ...parts].join('\n'));
      });
    });

const addCommand = (): Command => {
  const command = withNotes(new Command('add'), {
    details: 'Registering the newest version again changes nothing.',
    json: 'fields of `prompts list`',
    examples: ['palimpsest prompts add firm --system firm.md'],
    guide: 'summarizers.md#a-tenants-prompts',
  })
    .description('Register a version of a prompt; missing texts default to the built-in ones')
    .argument('<name>', 'its name: profiles and summarizers refer to it');
  for (const part of PROMPT_PARTS) command.option(`--${part} <file>`, `file with the text of ${part}`);
  return command.action((name: string, files: Partial<Record<PromptPart, string>>, given: Command) => {
    const options = given.optsWithGlobals<GlobalOptions>();
    return withService(options, async ({ commands }) => {
      const texts: { [Part in PromptPart]?: string } = {};
      for (const part of PROMPT_PARTS) {
        const file = files[part];
        if (file !== undefined) texts[part] = textOfFile(file);
      }
      const caller = { actor: Actor('cli') };
      const registered = await commands.execute(new RegisterPrompt(options.tenant, { name, texts }, caller));
      if (options.json) printJson(registered);
      else print(`${registered.name}@${registered.version}, hash ${registered.hash}`);
    });
  });
};
