import { Command } from 'commander';
import type { GlobalOptions } from '../options.js';
import { print, printJson } from '../output/print.js';
import { table } from '../output/table.js';
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
  new Command('sessions').description('list the sessions').action((_, command: Command) => {
    const options = command.optsWithGlobals<GlobalOptions>();
    return withService(options, async (service) => {
      const sessions = await service.sessions(options.tenant);
      if (options.json) printJson(sessions);
      else if (sessions.length === 0)
        print('no sessions yet: `palimpsest import FILE` or `palimpsest demo` brings some in');
      else
        print(
          table(
            COLUMNS,
            sessions.map((session) => COLUMNS.map((column) => session[column])),
          ),
        );
    });
  });
