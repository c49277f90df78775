import { ListModels, type ModelView, ShowModel } from '@app/application';
import { Command } from 'commander';
import type { GlobalOptions } from '../options.js';
import { print, printJson } from '../output/print.js';
import { table } from '../output/table.js';
import { withService } from '../session-run.js';
import { modelText } from './model-text.js';
import { refreshCommand } from './refresh.command.js';

/** `palimpsest models …`: what is known of models. */
export const modelsCommand = (): Command =>
  new Command('models')
    .description('List models, show one, or update their limits')
    .addCommand(listCommand(), { isDefault: true })
    .addCommand(showCommand())
    .addCommand(refreshCommand());

const listCommand = (): Command =>
  new Command('list').description('List models (default)').action((_, command: Command) => {
    const options = command.optsWithGlobals<GlobalOptions>();
    return withService(options, async ({ queries }) => {
      const models = await queries.execute(new ListModels(options.tenant));
      if (options.json) printJson(models);
      else print(table(['model', 'window', 'input', 'output', 'in / out', 'as of', ''], models.map(rowOf)));
    });
  });

/** Prices are those of the newest list. */
const rowOf = ({ id, window, inputMax, outputMax, prices, evidence, origin, lifecycle }: ModelView) => {
  const newest = prices.at(-1);
  const price = newest ? `${newest.rates.input} / ${newest.rates.output}` : 'not known';
  const remark = [lifecycle, origin, `${evidence.confidence} confidence`].filter((one) => !USUAL.has(one));
  return [
    id,
    String(window),
    String(inputMax ?? '-'),
    String(outputMax ?? '-'),
    price,
    evidence.asOf,
    remark.join(', '),
  ];
};
const USUAL: ReadonlySet<string> = new Set(['active', 'shipped', 'high confidence']);

const showCommand = (): Command =>
  new Command('show')
    .description('Show the limits and prices of a model')
    .argument('<model>', 'its id, an alias, or the name that a cloud or a router gives it')
    .action((name: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withService(options, async ({ queries }) => {
        const model = await queries.execute(new ShowModel(options.tenant, name));
        if (options.json) printJson(model);
        else print(modelText(model));
      });
    });
