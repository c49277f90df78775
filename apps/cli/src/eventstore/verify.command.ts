import { Command } from 'commander';
import type { GlobalOptions } from '../options.js';
import { print, printJson } from '../output/print.js';
import { existingEventStoreFolder } from './folder.js';

/** `palimpsest eventstore verify`: reads every entry of an event log whose server is stopped. */
export const verifyCommand = (): Command =>
  new Command('verify')
    .description(
      'Verify the checksum of every record of a stopped event store; exit code 1 if one is damaged',
    )
    .action((_, command: Command) => verify(command.optsWithGlobals<GlobalOptions>()));

const verify = async (options: GlobalOptions): Promise<void> => {
  const folder = await existingEventStoreFolder(options);
  const { verifyFolder } = await import('@app/embedded-event-store');
  const { events, entries, position, problems } = await verifyFolder(folder);
  if (problems.length > 0) process.exitCode = 1;
  if (options.json)
    return printJson({ isIntact: problems.length === 0, events, entries, position, problems });
  for (const problem of problems) print(`damaged: ${problem}`);
  if (problems.length === 0)
    print(`${events} events up to the position ${position}, ${entries} entries in all: every checksum holds`);
};
