import { type CopyProgress, type CopyResult, copyEvents } from '@app/event-store-copy';
import { Command, Option } from 'commander';
import { Interruption } from '../interruption.js';
import type { GlobalOptions } from '../options.js';
import { note, print, printJson } from '../output/print.js';

type Options = GlobalOptions & { readonly from: string; readonly to: string; readonly fillGaps: boolean };

/** `palimpsest eventstore copy`: all events from one server to another. May be stopped and run again. */
export const copyCommand = (): Command =>
  new Command('copy')
    .description('copy all events from one server to another, and verify the copy')
    .addOption(
      new Option('--from <url>', 'address of the source').env('PALIMPSEST_COPY_FROM').makeOptionMandatory(),
    )
    .addOption(
      new Option('--to <url>', 'address of the target').env('PALIMPSEST_COPY_TO').makeOptionMandatory(),
    )
    .option('--fill-gaps', 'put empty events where the source has scavenged some', false)
    .action((_, command: Command) => copy(command.optsWithGlobals<Options>()));

const copy = async ({ from, to, fillGaps, json }: Options): Promise<void> => {
  const interruption = new Interruption();
  try {
    const copying = copyEvents({ from, to, fillGaps, onProgress: reporter() });
    const result = await Promise.race([copying, interruption.happened]);
    if (json) printJson(result);
    else print(sentence(result));
  } finally {
    interruption.forget();
  }
};

const sentence = ({ events, copied, alreadyThere, filled, all, leftOut }: CopyResult): string =>
  `${events} events, ${copied} copied now and ${alreadyThere} before, verified: sha-256 ${all}; ` +
  `${filled} gaps filled; left out: ${leftOut.system} of the system, ${leftOut.users} of users, ` +
  `${leftOut.projections} of projections, ${leftOut.subscriptions} of persistent subscriptions`;

const REPORT_EVERY_MS = 1_000;

/** A line on stderr now and then, and one for each phase. */
const reporter = (): ((progress: CopyProgress) => void) => {
  let phase = '';
  let reportedAt = 0;
  return (progress) => {
    const now = performance.now();
    if (progress.phase === phase && now - reportedAt < REPORT_EVERY_MS) return;
    phase = progress.phase;
    reportedAt = now;
    note(`${phase}: ${progress.events} events`);
  };
};
