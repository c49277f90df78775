import { ListOwnPrompts, type PromptView, RegisterPrompt, ShowOwnPrompt } from '@app/application';
import { PROMPT_PARTS, type PromptPart } from '@app/domain';
import { shippedPrompts } from '@app/prompts';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import type { GlobalOptions } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { print, printJson } from '../output/print.js';
import { table } from '../output/table.js';
import { timeText } from '../output/value-text.js';
import { CLI, serviceCommand } from '../result-command.js';
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
  serviceCommand(
    'list',
    "List all versions of the tenant's prompts",
    {
      json: '`prompts`: array of `name`, `version`, `hash`, `lengths`, `registeredBy`, `registeredAt`',
      guide: 'summarizers.md#a-tenants-prompts',
    },
    ({ tenant }) =>
      async ({ queries }) => {
        const prompts = await queries.execute(new ListOwnPrompts(tenant));
        const none = 'no prompts of the tenant’s own: `palimpsest prompts add NAME`';
        return { json: { prompts }, text: prompts.length === 0 ? none : fittingTable(COLUMNS, prompts) };
      },
  );

const showCommand = (): Command =>
  serviceCommand<object, [string]>(
    'show',
    'Print a prompt of the tenant',
    { details: 'Without a version, the newest.', json: 'fields of `prompts list`, and `texts`' },
    ({ tenant }, reference) =>
      async ({ queries }) => {
        const found = await queries.execute(new ShowOwnPrompt(tenant, reference));
        const parts = Object.entries(found.texts).map(([part, text]) => `== ${part}\n${text}`);
        return { json: found, text: [namedText(found), ...parts].join('\n') };
      },
  ).argument('<prompt>', 'its name, or NAME@VERSION');

const addCommand = (): Command => {
  const command = serviceCommand<Partial<Record<PromptPart, string>>, [string]>(
    'add',
    'Register a version of a prompt; missing texts default to the built-in ones',
    {
      details: 'Registering the newest version again changes nothing.',
      json: 'fields of `prompts list`',
      examples: ['palimpsest prompts add firm --system firm.md'],
      guide: 'summarizers.md#a-tenants-prompts',
    },
    ({ tenant, ...files }, name) =>
      async ({ commands }) => {
        const texts: { [Part in PromptPart]?: string } = {};
        for (const part of PROMPT_PARTS) {
          const file = files[part];
          if (file !== undefined) texts[part] = textOfFile(file);
        }
        const registered = await commands.execute(new RegisterPrompt(tenant, { name, texts }, CLI));
        return { json: registered, text: namedText(registered) };
      },
  ).argument('<name>', 'its name: profiles and summarizers refer to it');
  for (const part of PROMPT_PARTS) command.option(`--${part} <file>`, `file with the text of ${part}`);
  return command;
};

const namedText = ({ name, version, hash }: PromptView): string => `${name}@${version}, hash ${hash}`;
