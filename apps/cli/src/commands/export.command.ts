import { ReadSession } from '@app/application';
import { SessionId } from '@app/kernel';
import { Command } from 'commander';
import type { GlobalOptions } from '../options.js';
import { json, printLine } from '../output/print.js';
import { withPalimpsest } from '../session-run.js';

/** `palimpsest export SESSION`: every message ever appended, whatever compactions have done since. */
export const exportCommand = (): Command =>
  new Command('export')
    .description('print every message ever appended, as JSON lines')
    .argument('<session>', 'as `palimpsest sessions` names it')
    .action((session: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const ref = { tenant: options.tenant, session: SessionId(session) };
      return withPalimpsest(options, async ({ queries }) => {
        for await (const { event, revision } of await queries.execute(new ReadSession(ref))) {
          if (event.type !== 'MessageAppended') continue;
          const { id, role, blocks: content, synthetic } = event.data.message;
          await printLine(json({ id, revision, role, synthetic, content }));
        }
      });
    });
