import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareDataFolder } from '../../support/deployments/processes/data-folder.js';
import { killAll, processesOf } from './processes.js';
import { transcript } from './transcript.js';

/** Creates data folders for their owner only, as `mktemp -d` does, and removes them after the tests. */
export class Folders {
  readonly home = mkdtempSync(join(tmpdir(), 'palimpsest-'));
  private count = 0;

  /** Returns an unused folder name. */
  next(): string {
    this.count += 1;
    return join(this.home, `data-${this.count}`);
  }

  /** Returns one with the cluster of `scripts/test-cluster.mjs`, for tests of later starts. */
  async prepared(): Promise<string> {
    const folder = this.next();
    await prepareDataFolder(folder);
    return folder;
  }

  /** Writes a recorded session that can be imported. */
  transcript(turns?: number): string {
    return this.#write(`session-${turns ?? ''}.json`, transcript(turns));
  }

  /** Writes a recorded session without an ID: each folder gives it another one. */
  unnamedTranscript(): string {
    const { conversation: _, ...session } = JSON.parse(transcript());
    return this.#write('unnamed.json', JSON.stringify(session));
  }

  #write(name: string, text: string): string {
    const file = join(this.home, name);
    writeFileSync(file, text);
    return file;
  }

  remove(): void {
    killAll(processesOf(this.home));
    rmSync(this.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
