import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import { loadEngine } from '../engine.js';
import { configFrom, type GlobalOptions } from '../options.js';
import { print, printJson } from '../output/print.js';

const NO_SERVER = 'Needs no server.';

/** Defines `palimpsest models refresh`, which needs no server. */
export const refreshCommand = (): Command =>
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
