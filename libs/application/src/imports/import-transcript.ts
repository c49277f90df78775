import type { TranscriptFormat, TranscriptItem } from '@app/formats';
import type { Caller } from '../sessions/session-store.js';
import { ImportRun } from './import-run.js';
import type { ImportedSession, ImportOptions } from './import-types.js';
import type { PlayerDependencies } from './playback/player.js';

export type SkippedLine = { readonly line: number; readonly reason: string };
export type ImportResult = {
  readonly sessions: readonly ImportedSession[];
  /** Lines that could not be used: the first of them, so that a result stays small. */
  readonly skipped: readonly SkippedLine[];
  /** How many could not be used in all. */
  readonly skippedLines: number;
};

/** How many lines that could not be used are named. */
export const SKIPPED_MAX = 1_000;

/** Brings recorded sessions in, message by message. A repeated import brings in only what is new. */
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
