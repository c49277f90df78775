import type { TranscriptFormat, TranscriptItem } from '@app/formats';
import type { Caller, SessionStore } from '../sessions/session-store.js';
import { ImportRun } from './import-run.js';
import type { ImportedSession, ImportOptions } from './import-types.js';
import type { PlayerDependencies } from './playing/player.js';

export type SkippedLine = { readonly line: number; readonly reason: string };
export type ImportResult = {
  readonly sessions: readonly ImportedSession[];
  readonly skipped: readonly SkippedLine[];
};

/** Brings recorded sessions in, message by message. A repeated import brings in only what is new. */
export class TranscriptImporter {
  constructor(
    private readonly sessions: SessionStore,
    private readonly deps: PlayerDependencies,
  ) {}

  async import(
    format: TranscriptFormat,
    items: AsyncIterable<TranscriptItem>,
    options: ImportOptions,
    caller: Caller,
  ): Promise<ImportResult> {
    const run = new ImportRun(this.sessions, this.deps, { format, options, caller });
    const skipped: SkippedLine[] = [];
    for await (const item of items) {
      if (item.kind === 'skipped') skipped.push({ line: item.line, reason: item.reason });
      else await run.take(item);
    }
    return { sessions: await run.end(), skipped };
  }
}
