import { ConfigureSummarizers, GetSummarizers } from '@app/application';
import { MODEL_PROVIDERS, type SummarizerLink, type TenantSummarizers } from '@app/domain';
import { AppError, type TenantId } from '@app/kernel';
import { Command } from 'commander';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { CLI, type Shown, serviceCommand } from '../result-command.js';
import type { Service } from '../service/service.js';

const SUMMARIZERS = '`default`, `summarizers`';

/** Defines `palimpsest summarizers …`, which manages the chain of summarizers of a tenant. */
export const summarizersCommand = (): Command =>
  new Command('summarizers')
    .description('List, set and remove the summarizers of a tenant')
    .addCommand(listCommand())
    .addCommand(setCommand())
    .addCommand(removeCommand());

const listCommand = (): Command =>
  serviceCommand(
    'list',
    "List the tenant's summarizers",
    { json: SUMMARIZERS, guide: 'summarizers.md#a-tenants-summarizers' },
    ({ tenant }) =>
      async ({ queries }) =>
        shown(await queries.execute(new GetSummarizers(tenant))),
  );

const setCommand = (): Command =>
  serviceCommand<{ readonly default?: true; readonly prompt?: string }, [string, readonly string[]]>(
    'set',
    'Add or replace a summarizer',
    {
      details:
        'Each link is tried after the one before it: `extractive`, or `PROVIDER[:MODEL]#SECRET`. Without a model, the session’s model summarizes.',
      json: SUMMARIZERS,
      examples: ['palimpsest summarizers set careful anthropic:claude-haiku-4-5#my-key extractive --default'],
      guide: 'summarizers.md#a-tenants-summarizers',
    },
    ({ tenant, default: isDefault, prompt }, name, links) => {
      const chain = links.map(summarizerLink).map((link) => withPrompt(link, prompt));
      return changed(tenant, (before) => ({
        default: isDefault ? name : before.default,
        summarizers: { ...before.summarizers, [name]: chain },
      }));
    },
  )
    .argument('<name>', 'its name, to which profiles refer')
    .argument('<link...>', 'fallback chain in order of use: extractive, or PROVIDER[:MODEL]#SECRET')
    .option('--prompt <prompt>', 'prompt of the tenant for its models, as NAME or NAME@VERSION')
    .option('--default', 'use it where profiles name `default`');

const withPrompt = (link: SummarizerLink, prompt: string | undefined): SummarizerLink =>
  prompt === undefined || link.provider === 'extractive' ? link : { ...link, prompt };

const removeCommand = (): Command =>
  serviceCommand<object, [string]>(
    'remove',
    "Remove a summarizer; if it was the default, the operator's default applies",
    { json: SUMMARIZERS },
    ({ tenant }, name) =>
      changed(tenant, (before) => {
        if (!Object.hasOwn(before.summarizers, name))
          throw new AppError('invalid-settings', `there is no summarizer "${name.slice(0, 64)}"`);
        const { [name]: __, ...summarizers } = before.summarizers;
        return { default: before.default === name ? null : before.default, summarizers };
      }),
  ).argument('<name>', 'its name');

/** Applies `change` to the configured summarizers. */
const changed =
  (tenant: TenantId, change: (before: TenantSummarizers) => TenantSummarizers) =>
  async ({ commands, queries }: Service): Promise<Shown> => {
    const summarizers = change(await queries.execute(new GetSummarizers(tenant)));
    return shown(await commands.execute(new ConfigureSummarizers(tenant, summarizers, CLI)));
  };

const shown = (configured: TenantSummarizers): Shown => {
  const named = Object.entries(configured.summarizers);
  const none = 'no summarizers of the tenant’s own: `palimpsest summarizers set NAME LINK…` names one';
  return {
    json: configured,
    text: named.length === 0 ? none : fittingTable(columnsWith(configured.default), named),
  };
};

type Named = readonly [name: string, links: readonly SummarizerLink[]];
const columnsWith = (defaultName: string | null): readonly Column<Named>[] => [
  { name: 'name', of: ([name]) => name },
  { name: 'default', of: ([name]) => (name === defaultName ? 'yes' : null) },
  { name: 'tried in this order', of: ([, links]) => links.map(textOfLink).join(' '), cutTo: 24 },
];

/** Names of models may contain any character except white space and `#`. */
const LINK = /^([a-z-]+)(?::([^\s#]+))?#([^\s#]+)$/;

/** Parses one summarizer of a chain. @throws {AppError} `invalid-settings`. */
const summarizerLink = (text: string): SummarizerLink => {
  if (text === 'extractive') return { provider: 'extractive' };
  const [, named, model, secret] = LINK.exec(text) ?? [];
  const provider = MODEL_PROVIDERS.find((one) => one === named);
  if (provider && secret !== undefined) return { provider, secret, ...(model !== undefined && { model }) };
  // The error does not repeat the text: it may be a key given instead of a secret's name.
  const providers = MODEL_PROVIDERS.join(', ');
  throw new AppError(
    'invalid-settings',
    `a summarizer is written extractive, or PROVIDER[:MODEL]#SECRET, such as anthropic:claude-haiku-4-5#my-key; providers are ${providers}`,
  );
};

/** Returns the text that {@link summarizerLink} parses. */
const textOfLink = (link: SummarizerLink): string => {
  if (link.provider === 'extractive') return link.provider;
  const { provider, model, secret, prompt } = link;
  const promptText = prompt === undefined ? '' : ` (prompt ${prompt})`;
  return `${provider}${model === undefined ? '' : `:${model}`}#${secret}${promptText}`;
};
