import { refreshModels } from '@app/platform';
import { Command } from 'commander';
import { configFrom, type GlobalOptions } from '../options.js';
import { print, printJson } from '../output/print.js';

/** `palimpsest models refresh`: no server is started for it. */
export const refreshCommand = (): Command =>
  new Command('refresh')
    .description("ask Anthropic's endpoint for its models; PALIMPSEST_ANTHROPIC_KEY is needed")
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { path, models } = await refreshModels(configFrom(options));
      if (options.json) printJson({ path, models: models.map(({ id }) => id) });
      else
        print(
          `${models.length} models written to ${path}: sessions are opened by them from the next start on`,
        );
    });
