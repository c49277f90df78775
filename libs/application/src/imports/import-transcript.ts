import type { ImportResult, SkippedLine } from '@app/contract';
import type { TranscriptFormat, TranscriptItem } from '@app/formats';
import type { Caller } from '../sessions/session-store.js';
import { ImportRun } from './import-run.js';
import type { ImportOptions } from './import-types.js';
import type { PlayerDependencies } from './playback/player.js';

/** Maximum of unusable lines in a result. */
export const SKIPPED_MAX = 1_000;

/** Imports recorded sessions message by message. A repeated import adds only new messages. */
export class TranscriptImporter {
  constructor(private readonly deps: PlayerDependencies) {}

  async import(
    format: TranscriptFormat,
    items: AsyncIterable<TranscriptItem>,
    options: ImportOptions,
    caller: Caller,
  ): Promise<ImportResult> {
    const run = new ImportRun(this.deps, { format, options, caller });
    const skipped: SkippedLine[] = [];
    let skippedLines = 0;
    try {
      for await (const item of items) {
        if (item.kind === 'skipped') {
          skippedLines += 1;
          if (skipped.length < SKIPPED_MAX) skipped.push({ line: item.line, reason: item.reason });
        } else await run.take(item);
      }
      return { sessions: await run.end(), skipped, skippedLines };
    } catch (error) {
      await run.breakOff();
      throw error;
    }
  }
}
