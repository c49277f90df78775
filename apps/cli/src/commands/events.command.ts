import { type Revision, SessionId } from '@app/kernel';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import { type GlobalOptions, revision } from '../options.js';
import { json, printLine } from '../output/print.js';
import { withService } from '../session-run.js';

type Options = GlobalOptions & { readonly from?: Revision };

/** Defines `palimpsest events SESSION`, which prints the session's stream, one event per line. */
export const eventsCommand = (): Command =>
  withNotes(new Command('events'), {
    details: 'Prints oldest first, with all content.',
    json: 'always JSON lines: `revision`, `type`, `id`, `recordedAt`, `actor`, `correlationId`, `causationId` (if any), `data`',
    guide: 'event-log.md#types',
  })
    .description('Print the events of a session as JSON lines')
    .argument('<session>', 'session ID')
    .option('--from <revision>', 'first revision', revision)
    .action((session: string, _, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const ref = { tenant: options.tenant, session: SessionId(session) };
      return withService(options, async (service) => {
        for await (const event of service.events(ref, options.from)) await printLine(json(event));
      });
    });
