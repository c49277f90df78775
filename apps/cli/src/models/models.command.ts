import { type FoundModelView, ListModels, type ModelView, ShowModel } from '@app/application';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import { loadEngine } from '../engine.js';
import { configFrom, type GlobalOptions } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { print, printJson } from '../output/print.js';
import { serviceCommand } from '../result-command.js';

/** Defines `palimpsest models …`, which shows windows, prices and their sources. */
export const modelsCommand = (): Command =>
  new Command('models')
    .description('List models, show one, or update their limits')
    .addCommand(listCommand(), { isDefault: true })
    .addCommand(showCommand())
    .addCommand(refreshCommand());

const listCommand = (): Command =>
  serviceCommand(
    'list',
    'List models (default)',
    {
      details: 'Prices are US dollars for a million tokens of input and of output.',
      json: 'array of `id`, `vendor`, `aliases`, `window`, `inputMax`, `outputMax`, `tokenizer`, `lifecycle`, `prices`, `evidence`, `origin`',
      guide: 'models.md',
    },
    ({ tenant }) =>
      async ({ queries }) => {
        const models = await queries.execute(new ListModels(tenant));
        return { json: models, text: fittingTable(COLUMNS, models) };
      },
  );

const COLUMNS: readonly Column<ModelView>[] = [
  { name: 'model', of: ({ id }) => id },
  { name: 'window', of: ({ window }) => window, isNumber: true },
  { name: 'input', of: ({ inputMax }) => inputMax ?? null, isNumber: true },
  { name: 'output', of: ({ outputMax }) => outputMax ?? null, isNumber: true },
  { name: 'in / out', of: ({ prices }) => priceText(prices) },
  { name: 'remarks', of: (model) => remarksOn(model).join(', ') || null, cutTo: 10 },
  { name: 'as of', of: ({ evidence }) => evidence.asOf },
];

/** Returns the newest prices of a million input and output tokens, in US dollars. */
const priceText = (prices: ModelView['prices']): string | null => {
  const newest = prices.at(-1);
  return newest ? `${newest.rates.input} / ${newest.rates.output}` : null;
};

const remarksOn = ({ lifecycle, origin, evidence }: ModelView): readonly string[] =>
  [lifecycle, origin, `${evidence.confidence} confidence`].filter((remark) => !COMMON_REMARKS.has(remark));
const COMMON_REMARKS: ReadonlySet<string> = new Set(['active', 'shipped', 'high confidence']);

const showCommand = (): Command =>
  serviceCommand<object, [string]>(
    'show',
    'Show the limits and prices of a model',
    { json: 'fields of `models list`, and `seller` and `rules`' },
    ({ tenant }, name) =>
      async ({ queries }) => {
        const model = await queries.execute(new ShowModel(tenant, name));
        return { json: model, text: modelText(model) };
      },
  ).argument('<model>', 'its id, an alias, or the name that a cloud or a router gives it');

/** Renders a model on a few lines; each figure names its source. */
const modelText = (model: FoundModelView): string => {
  const { evidence, aliases, rules } = model;
  return [
    `${model.id} of ${model.vendor}, ${model.lifecycle}; limits from: ${model.origin}`,
    ...(aliases.length > 0 ? [`  aliases    ${aliases.join(', ')}`] : []),
    ...(rules.length > 0 ? [`  read as    ${rules.join(', ')} (${model.seller})`] : []),
    `  window     ${model.window}`,
    `  input      ${model.inputMax ?? 'as the window allows'}`,
    `  output     ${model.outputMax ?? 'not known'}`,
    `  tokenizer  ${model.tokenizer ?? 'not known'}`,
    `  source     ${evidenceText(evidence)}`,
    ...(model.prices.length === 0 ? ['  price      not known'] : model.prices.flatMap(priceLines)),
  ].join('\n');
};

const priceLines = ({
  from,
  rates,
  longPrompt,
  evidence,
}: ModelView['prices'][number]): readonly string[] => [
  `  price      ${from === undefined ? '' : `from ${from}: `}${ratesText(rates)}`,
  ...(longPrompt ? [`             above ${longPrompt.above} tokens: ${ratesText(longPrompt.rates)}`] : []),
  `             ${evidenceText(evidence)}`,
];

type Rates = ModelView['prices'][number]['rates'];
/** US dollars per million tokens. */
const ratesText = ({ input, output, cacheRead, cacheWrite, cacheWrite1h }: Rates): string =>
  [
    `input ${input}`,
    `output ${output}`,
    ...(cacheRead === undefined ? [] : [`cache read ${cacheRead}`]),
    ...(cacheWrite === undefined ? [] : [`cache write ${cacheWrite}`]),
    ...(cacheWrite1h === undefined ? [] : [`for an hour ${cacheWrite1h}`]),
  ].join(', ');

const evidenceText = ({ source, asOf, confidence, note }: FoundModelView['evidence']): string =>
  `${source}, ${asOf}, ${confidence} confidence${note === undefined ? '' : `. ${note}`}`;

const NO_SERVER = 'Needs no server.';

/** Defines `palimpsest models refresh`, which needs no server. */
const refreshCommand = (): Command =>
  withNotes(new Command('refresh'), {
    details: `Writes windows, limits and lifecycles to models.json in the data folder; processes read it when they start. ${NO_SERVER}`,
    json: '`path` and `models` (IDs that were written)',
  })
    .description("Update limits from Anthropic's models endpoint; requires PALIMPSEST_ANTHROPIC_API_KEY")
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { refreshModels } = await loadEngine();
      const { path, models } = await refreshModels(await configFrom(options));
      if (options.json) printJson({ path, models: models.map(({ id }) => id) });
      else
        print(
          `${models.length} models written to ${path}: sessions are opened by them from the next start on`,
        );
    });
