import type { CopyProgress, CopyResult } from '@app/event-store-copy';
import { Command, Option } from 'commander';
import { withNotes } from '../command-notes.js';
import { Interruption } from '../interruption.js';
import type { GlobalOptions } from '../options.js';
import { print, printJson } from '../output/print.js';
import { Progress } from '../output/progress.js';
import { countText } from '../output/value-text.js';

type Options = GlobalOptions & { readonly from: string; readonly to: string; readonly fillGaps: boolean };

/** Defines `palimpsest eventstore copy`, which copies all events between servers and can be interrupted and resumed. */
export const copyCommand = (): Command =>
  withNotes(new Command('copy'), {
    details: 'After an interrupt or a crash, the same command continues.',
    json: '`events` (in source and target), `copied` (by this run), `alreadyThere`, `filled`, `all` and `streams` (SHA-256 in log order, and independent of the order of streams), `omitted` (`system`, `users`, `projections`, `subscriptions`)',
    guide: 'event-log.md#moving-to-another-server',
  })
    .description('Copy all events from one server to another and verify the copy')
    .addOption(
      new Option('--from <url>', 'address of the source').env('PALIMPSEST_COPY_FROM').makeOptionMandatory(),
    )
    .addOption(
      new Option('--to <url>', 'address of the target').env('PALIMPSEST_COPY_TO').makeOptionMandatory(),
    )
    .option('--fill-gaps', 'write empty events in place of scavenged ones', false)
    .action((_, command: Command) => copy(command.optsWithGlobals<Options>()));

const copy = async ({ from, to, fillGaps, json }: Options): Promise<void> => {
  const { copyEvents } = await import('@app/event-store-copy');
  const interruption = new Interruption();
  const reported = reporter();
  try {
    const copying = copyEvents({ from, to, fillGaps, onProgress: reported.update });
    const result = await Promise.race([copying, interruption.happened]);
    if (json) printJson(result);
    else print(sentence(result));
  } finally {
    reported.stop();
    interruption.forget();
  }
};

const sentence = ({ events, copied, alreadyThere, filled, all, omitted }: CopyResult): string =>
  `${countText(events, 'event')}, ${copied} copied now and ${alreadyThere} before, verified: sha-256 ${all}; ` +
  `${countText(filled, 'gap')} filled; omitted: ${omitted.system} of the system, ${omitted.users} of users, ` +
  `${omitted.projections} of projections, ${omitted.subscriptions} of persistent subscriptions`;

/** Shows the progress of each phase; `stop` removes it from the terminal. */
const reporter = () => {
  let phase = '';
  let progress: Progress | undefined;
  return {
    update: ({ phase: current, events, fraction }: CopyProgress): void => {
      if (current !== phase) {
        progress?.stop();
        progress = new Progress(current);
        phase = current;
      }
      progress?.update({ detail: countText(events, 'event'), ...(fraction !== undefined && { fraction }) });
    },
    stop: (): void => progress?.stop(),
  };
};
