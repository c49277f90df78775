import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OLDER_LOG, SERVER_LOG } from '../layout.js';

const FILE_MAX_BYTES = 2 * 1024 * 1024;

/**
 * The server's output, in two files of at most 2 MiB: the newer is `server.log`, the older `server.log.1`.
 *
 * Ignores write failures: the server itself reports a full disk or a missing folder.
 */
export class ServerLog {
  readonly #path: string;
  readonly #older: string;
  #bytes: number;

  constructor(dataDir: string) {
    this.#path = join(dataDir, SERVER_LOG);
    this.#older = join(dataDir, OLDER_LOG);
    this.#bytes = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  write(chunk: Buffer): void {
    try {
      if (this.#bytes > 0 && this.#bytes + chunk.length > FILE_MAX_BYTES) {
        renameSync(this.#path, this.#older);
        this.#bytes = 0;
      }
      appendFileSync(this.#path, chunk, { mode: 0o600 });
      this.#bytes += chunk.length;
    } catch {
      // Ignored, as the class comment says.
    }
  }
}
