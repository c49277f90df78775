import type { BackupResult } from '@app/platform';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import { loadEngine } from '../engine.js';
import { Interruption } from '../interruption.js';
import { configFrom, type GlobalOptions } from '../options.js';
import { print, printJson } from '../output/print.js';
import { Progress } from '../output/progress.js';
import { countText } from '../output/value-text.js';
import { requireLocal } from '../session-run.js';

type Options = GlobalOptions & { readonly keys?: string; readonly progress: boolean };

/** Defines `palimpsest backup DIR`, which copies all data that cannot be rebuilt while the service runs. */
export const backupCommand = (): Command =>
  withNotes(new Command('backup'), {
    details:
      'Works on the data folder or the servers, also while the service runs. A repeated run adds new data and resumes an interrupted one.',
    json: '`folder`, `position`, `events`, `added`, `blobs`, `keys` (the file, or `null`)',
    examples: ['palimpsest backup /backups/palimpsest --keys /elsewhere/palimpsest.keys'],
    guide: 'operating.md#backup',
  })
    .description('Back up a running or stopped installation; a repeated run adds new data to the backup')
    .argument('<folder>', 'folder of the backup')
    .option('--keys <file>', 'write the keys of content to this file; keep it apart from the backup')
    .option('--progress', 'show the progress on stderr if it is no terminal', false)
    .action((folder: string, _, command: Command) => backUp(folder, command.optsWithGlobals<Options>()));

const backUp = async (folder: string, options: Options): Promise<void> => {
  requireLocal(options);
  const interruption = new Interruption();
  const progress = new Progress('backing up', options.progress);
  try {
    const engine = await loadEngine();
    const config = await configFrom(options);
    const keys = options.keys === undefined ? {} : { keys: options.keys };
    const work = engine.backUp({ config, folder, ...keys, onProgress: (state) => progress.update(state) });
    const result = await Promise.race([work, interruption.happened]);
    progress.stop();
    if (options.json) printJson(result);
    else print(sentence(result));
  } finally {
    progress.stop();
    interruption.forget();
  }
};

const sentence = ({ folder, position, events, added, blobs, keys }: BackupResult): string =>
  `${folder}: ${countText(events, 'event')} up to position ${position ?? 'none'}, ${added} of them new, and ${countText(blobs, 'large content')}; ` +
  (keys === null ? 'without keys: --keys FILE backs them up' : `keys in ${keys}`);
