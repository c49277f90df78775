import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import type { GlobalOptions } from '../options.js';
import { print, printJson } from '../output/print.js';
import { Progress } from '../output/progress.js';
import { countText } from '../output/value-text.js';
import { existingEventStoreFolder } from './folder.js';

type Options = GlobalOptions & { readonly progress: boolean };

/** Defines `palimpsest eventstore verify`, which reads every entry of an event log whose server is stopped. */
export const verifyCommand = (): Command =>
  withNotes(new Command('verify'), {
    json: '`isIntact`, `events`, `entries`, `position`, `problems`',
    guide: 'event-log.md#damage',
  })
    .description(
      'Verify the checksum of every record of a stopped event store; exit code 1 if one is damaged',
    )
    .option('--progress', 'show the progress on stderr if it is no terminal', false)
    .action((_, command: Command) => verify(command.optsWithGlobals<Options>()));

const verify = async (options: Options): Promise<void> => {
  const folder = await existingEventStoreFolder(options);
  const { verifyFolder } = await import('@app/embedded-event-store');
  const progress = new Progress('verifying', options.progress);
  const check = await verifyFolder(folder, ({ entries, fraction }) =>
    progress.update({ fraction, detail: countText(entries, 'entry', 'entries') }),
  ).finally(() => progress.stop());
  const { events, entries, position, problems } = check;
  if (problems.length > 0) process.exitCode = 1;
  if (options.json)
    return printJson({ isIntact: problems.length === 0, events, entries, position, problems });
  for (const problem of problems) print(`damaged: ${problem}`);
  if (problems.length === 0)
    print(
      `every checksum holds: ${countText(events, 'event')} up to position ${position}, ${countText(entries, 'entry', 'entries')} in all`,
    );
};
