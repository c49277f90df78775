import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import type { GlobalOptions } from '../options.js';
import { withPalimpsest } from '../session-run.js';
import { becomeService, type ServiceOptions } from './serve.command.js';

type Options = GlobalOptions & ServiceOptions & { readonly open?: true };

/** Defines `palimpsest demo`, which imports and compacts the sample session in under a minute. */
export const demoCommand = (): Command =>
  withNotes(new Command('demo'), {
    details:
      'Imports the sample session with a window of 32,000 tokens and shows where each result can be seen.',
    json: 'fields of an imported session, `context` (`tokens`, `window`, `state`), `original` (messages in the log), `audit` (newest eight rows), `proof` (outcome of the verification)',
  })
    .description('Import and compact a sample session, step by step')
    .option('--open', 'keep the service running, and print a link to the session in the console')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      // Loads the event store's client to replay a proof: other commands start without it.
      const { tour } = await import('./demo-tour.js');
      let session: string | undefined;
      await withPalimpsest(options, async (palimpsest) => {
        session = await tour(palimpsest, options);
      });
      if (options.open && session !== undefined) await open(options, session);
    });

/** Serves the demo on any free port unless one is configured, because another service may use the default port. */
const open = (options: Options, session: string): Promise<never> => {
  process.env.PALIMPSEST_HTTP_PORT ??= '0';
  process.env.PALIMPSEST_LOG_LEVEL ??= 'warn';
  return becomeService(options, session);
};
