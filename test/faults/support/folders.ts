import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killAll, processesOf } from './processes.js';
import { transcript } from './transcript.js';

/** A place for data folders, for its owner alone, as `mktemp -d` makes them. Nothing of it outlives the tests. */
export class Folders {
  readonly home = mkdtempSync(join(tmpdir(), 'palimpsest-'));
  private count = 0;

  /** A name for a new data folder. */
  next(): string {
    this.count += 1;
    return join(this.home, `data-${this.count}`);
  }

  /** A recorded session that can be imported. */
  transcript(turns?: number): string {
    const file = join(this.home, `session-${turns ?? ''}.json`);
    writeFileSync(file, transcript(turns));
    return file;
  }

  remove(): void {
    killAll(processesOf(this.home));
    rmSync(this.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
