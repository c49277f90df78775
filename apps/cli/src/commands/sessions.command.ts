import { Command } from 'commander';
import { type GlobalOptions, limit } from '../options.js';
import { note, print, printJson } from '../output/print.js';
import { table } from '../output/table.js';
import { firstOf } from '../service/pages.js';
import { withService } from '../session-run.js';

const COLUMNS = [
  'session',
  'turns',
  'messages',
  'occupancy',
  'window',
  'state',
  'compactions',
  'revision',
] as const;

/** `palimpsest sessions`: what there is, newest activity first. */
export const sessionsCommand = (): Command =>
  new Command('sessions')
    .description('list the sessions, newest activity first')
    .option('--limit <sessions>', 'at most so many sessions (default: all)', limit)
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly limit?: number }>();
      return withService(options, async (service) => {
        const { items, isCut } = await firstOf(service.sessions(options.tenant), options.limit);
        if (options.json) printJson(items);
        else if (items.length === 0)
          print('no sessions yet: `palimpsest import FILE` or `palimpsest demo` brings some in');
        else
          print(
            table(
              COLUMNS,
              items.map((session) => COLUMNS.map((column) => session[column])),
            ),
          );
        if (isCut) note(`these are the first ${items.length} sessions: without --limit all are listed`);
      });
    });
