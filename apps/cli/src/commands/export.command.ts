import { SessionId } from '@app/kernel';
import { Command } from 'commander';
import type { GlobalOptions } from '../options.js';
import { json, printLine } from '../output/print.js';
import { withService } from '../session-run.js';

/** `palimpsest export SESSION`: every message ever appended, whatever compactions have done since. */
export const exportCommand = (): Command =>
  new Command('export')
    .description('print every message ever appended, as JSON lines')
    .argument('<session>', 'as `palimpsest sessions` names it')
    .option('--message <id>', 'this message alone: what a request holds a part of, or a line in place of')
    .action((session: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly message?: string }>();
      const ref = { tenant: options.tenant, session: SessionId(session) };
      return withService(options, async (service) => {
        for await (const message of service.messages(ref, options.message)) await printLine(json(message));
      });
    });
