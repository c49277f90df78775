import { PinContent, UnpinContent } from '@app/application';
import type { Pin, PinKind } from '@app/domain';
import { AppError, PinId } from '@app/kernel';
import { type Command, Option } from 'commander';
import { parser } from '../options.js';
import { type Shown, sessionCommand } from '../result-command.js';
import { textOfFile } from '../text-of.js';

type Options = { readonly id: PinId; readonly kind: PinKind; readonly file?: string };

/** Defines `palimpsest pin SESSION [TEXT]`, which adds content to every request that no compaction changes. */
export const pinCommand = (): Command =>
  sessionCommand<Options, [string | undefined]>(
    'pin',
    'Pin content that every request carries',
    {
      details: 'Every request carries pinned content, and no compaction changes it.',
      json: 'array of all pins: `id`, `kind`, `tokens`',
      examples: ['palimpsest pin SESSION "No new dependencies." --id rule'],
      guide: 'managing-sessions.md#pins',
    },
    async ({ ref, options: { id, kind, file }, palimpsest, caller }, text) => {
      const pin = { pinId: id, kind, text: contentFrom(text, file) };
      return shown(await palimpsest.commands.execute(new PinContent(ref, pin, caller)));
    },
  )
    .argument('[text]', 'content (or --file)')
    .requiredOption('--id <id>', 'name of the pin; an existing pin with this name is replaced', pinId)
    .addOption(
      new Option('--kind <kind>', 'kind of content')
        .choices(['constraint', 'mandate', 'children', 'plan'])
        .default('constraint'),
    )
    .option('--file <file>', 'file that holds the content');

/** Defines `palimpsest unpin SESSION ID`, which removes a pin. */
export const unpinCommand = (): Command =>
  sessionCommand<object, [string]>(
    'unpin',
    'Remove pinned content from requests',
    { json: 'as for `pin`' },
    async ({ ref, palimpsest, caller }, id) =>
      shown(await palimpsest.commands.execute(new UnpinContent(ref, PinId(id), caller))),
  ).argument('<id>', 'name of the pin');

const shown = (pins: readonly Pin[]): Shown => ({
  json: pins.map(({ pinId, kind, tokens }) => ({ id: pinId, kind, tokens })),
  text:
    pins.length === 0
      ? 'nothing is pinned'
      : pins.map(({ pinId, kind, tokens }) => `${pinId}  ${kind}  ${tokens} counted tokens`).join('\n'),
});

const contentFrom = (text: string | undefined, file: string | undefined): string => {
  const content = text ?? (file === undefined ? '' : textOfFile(file));
  if (content.trim() !== '') return content;
  throw new AppError('invalid-settings', 'there is nothing to pin: give a text, or --file with one in it');
};

const pinId = parser(PinId);
