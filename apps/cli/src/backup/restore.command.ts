import type { RestoreResult } from '@app/platform';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import { loadEngine } from '../engine.js';
import { Interruption } from '../interruption.js';
import { configFrom, type GlobalOptions } from '../options.js';
import { print, printJson } from '../output/print.js';
import { Progress } from '../output/progress.js';
import { countText } from '../output/value-text.js';
import { requireLocal } from '../session-run.js';

type Options = GlobalOptions & {
  readonly keys: string;
  readonly ledger?: string;
  readonly newLogs: boolean;
  readonly progress: boolean;
};

/** Defines `palimpsest restore DIR`, which restores a backup into an empty data folder and database. */
export const restoreCommand = (): Command =>
  withNotes(new Command('restore'), {
    details: 'Checks every file before the first write, and compares the restored log with the backup.',
    json: '`events`, `sessions`, `blobs`, `keys` (rows), `completedAt`, `laterErasures`, `laterProtection` (holds and retention periods), `newLogs` (whether new transparency logs begin), `stoppedStreams` (that cannot be read)',
    examples: ['palimpsest restore /backups/palimpsest --keys /elsewhere/palimpsest.keys --data new-folder'],
    guide: 'operating.md#restore',
  })
    .description('Restore a backup into an empty data folder, or empty servers, and verify it')
    .argument('<folder>', 'folder of the backup')
    .requiredOption('--keys <file>', 'keys of the content, from `backup --keys`')
    .option('--ledger <folder>', 'a newer backup whose erasures, holds and retention periods also apply')
    .option(
      '--new-logs',
      'begin new transparency logs, if the old ones have published heads since the backup',
      false,
    )
    .option('--progress', 'show the progress on stderr if it is no terminal', false)
    .action((folder: string, _, command: Command) => restore(folder, command.optsWithGlobals<Options>()));

const restore = async (folder: string, options: Options): Promise<void> => {
  requireLocal(options);
  const interruption = new Interruption();
  const reported = reporter(options.progress);
  try {
    const engine = await loadEngine();
    const config = await configFrom(options);
    const work = engine.restore({
      ...{ config, folder, keys: options.keys, newLogs: options.newLogs, onProgress: reported.update },
      ...(options.ledger !== undefined && { ledger: options.ledger }),
    });
    const result = await Promise.race([work, interruption.happened]);
    reported.stop();
    if (options.json) printJson(result);
    else print(sentence(result, options.ledger !== undefined));
  } finally {
    reported.stop();
    interruption.forget();
  }
};

const sentence = (result: RestoreResult, hasLedger: boolean): string => {
  const { events, sessions, blobs, keys, completedAt, stoppedStreams } = result;
  const { laterErasures, laterProtection } = result;
  const parts = [
    `restored and verified, as of ${completedAt}: ${countText(events, 'event')} of ${countText(sessions, 'session')}, ${countText(blobs, 'large content')}, ${countText(keys, 'row')} of keys`,
    ...(laterErasures > 0 ? [`${countText(laterErasures, 'later erasure')} carried out`] : []),
    ...(laterProtection > 0
      ? [`${countText(laterProtection, 'later change')} of holds and retention periods in force`]
      : []),
    ...(result.newLogs ? ['new transparency logs begin, with new keys'] : []),
    ...(hasLedger
      ? []
      : [
          'erasures, holds and retention periods since then are unknown here: name a newer backup with --ledger',
        ]),
    ...(stoppedStreams > 0
      ? [`${countText(stoppedStreams, 'stream')} cannot be read: see \`palimpsest projections stopped\``]
      : []),
  ];
  return parts.join('; ');
};

/** Shows the progress of each phase; `stop` removes it from the terminal. */
const reporter = (isWanted: boolean) => {
  let phase = '';
  let progress: Progress | undefined;
  return {
    update: ({ label, fraction }: { readonly label: string; readonly fraction: number }): void => {
      if (label !== phase) {
        progress?.stop();
        progress = new Progress(label, isWanted);
        phase = label;
      }
      progress?.update({ fraction });
    },
    stop: (): void => progress?.stop(),
  };
};
